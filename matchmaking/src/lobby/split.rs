//! The ways to split a match into two teams.

/// The red teams of all splits of `2 * team_size` players, as bits by position. Position 0 is always red, so that each
/// split appears once: `C(2k, k) / 2` of them, ascending.
pub(crate) fn red_teams(team_size: usize) -> Vec<u32> {
    let candidates = (0..1_u32 << (2 * team_size)).step_by(2).map(|others| others | 1);
    candidates
        .filter(|red| red.count_ones() as usize == team_size)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::red_teams;

    #[test]
    fn there_are_half_a_binomial_of_them() {
        let counts: Vec<usize> = (1..=8).map(|size| red_teams(size).len()).collect();
        assert_eq!(counts, [1, 3, 10, 35, 126, 462, 1716, 6435]);
        assert_eq!(red_teams(2), [0b0011, 0b0101, 0b1001]);
    }
}
