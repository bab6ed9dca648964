//! A fitted model as JSON; what was read comes back when it is written, and risks that it tells are risks.
#![no_main]

use fuzz::{check_message, shown};
use libfuzzer_sys::fuzz_target;
use matchmaking::{EngagementCost, FittedModel, Pool};

fuzz_target!(|text: &[u8]| {
    let model = match FittedModel::read(text) {
        Ok(model) => model,
        Err(error) => return check_message(&error, text),
    };
    let mut written = Vec::new();
    shown(model.write(&mut written), "what was read cannot be written");
    let again = shown(FittedModel::read(&written[..]), "what was written cannot be read");
    let mut twice = Vec::new();
    shown(again.write(&mut twice), "what was read again cannot be written");
    assert_eq!(twice, written);
    let pool = Pool::synthetic(6, 1);
    if let Ok(cost) = EngagementCost::new(&pool, &model.outcome_model(), &model) {
        let terms = cost.terms(0, 1);
        assert!(
            (0.0..=2.0).contains(&terms.expected_churn()),
            "{}",
            terms.expected_churn()
        );
        assert!((terms.outcomes.total() - 1.0).abs() < 1e-9);
    }
});
