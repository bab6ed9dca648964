//! A list of waiting parties, a rule that matches them, and how long each kind waits.

use crate::chain::{Ctmc, check_rate};
use crate::error::Error;
use crate::passage::Passage;
use crate::scalar::Scalar;
use crate::states::{Limits, StateIndex, explore};

/// Who leaves when somebody arrives.
pub trait Rule {
    /// The places, in rising order, of the parties that start a game; empty if nobody does. The parties stand in the
    /// order of their arrival, and the last of them has just arrived. A place that is not there, or comes twice, is
    /// [`Error::WrongPlace`] of the [`Lobby`].
    fn matched(&self, parties: &[u8]) -> Vec<usize>;
}

/// The first two moments of a waiting time.
#[derive(Clone, Debug, PartialEq)]
pub struct Moments<T> {
    /// `E[T]`.
    pub mean: T,
    /// `E[T^2]`.
    pub second: T,
}

impl<T: Scalar> Moments<T> {
    /// `E[T^2] - E[T]^2`.
    pub fn variance(&self) -> T {
        self.second.clone() - self.mean.clone() * self.mean.clone()
    }

    /// The moments of a mixture: each part with its weight, which need not add up to one. A team of two counts twice if
    /// its weight does.
    ///
    /// # Errors
    /// [`Error::NotADistribution`] where there is nothing to mix, as there are no parts or all weights are zero, and where
    /// a weight, counted as a state, is negative or no number.
    ///
    /// # Examples
    /// ```
    /// use markov::models::xu::Moments;
    ///
    /// let (short, long) = (Moments { mean: 1.0, second: 2.0 }, Moments { mean: 4.0, second: 20.0 });
    /// assert_eq!(Moments::mixed([(2.0, &short), (1.0, &long)])?.mean, 2.0);
    /// assert!(Moments::mixed([(0.0, &short)]).is_err());
    /// # Ok::<(), markov::Error>(())
    /// ```
    pub fn mixed<'a>(parts: impl IntoIterator<Item = (T, &'a Self)>) -> Result<Self, Error>
    where
        T: 'a,
    {
        let (mut sum, mut mean, mut second) = (T::zero(), T::zero(), T::zero());
        for (at, (weight, part)) in parts.into_iter().enumerate() {
            if !weight.is_number() || weight < T::zero() {
                return Err(Error::NotADistribution {
                    deficit: 1.0,
                    wrong: Some(at),
                });
            }
            // Of what is infinite nothing is no number.
            if weight.is_zero() {
                continue;
            }
            mean += weight.clone() * part.mean.clone();
            second += weight.clone() * part.second.clone();
            sum += weight;
        }
        if sum.is_zero() {
            return Err(Error::NotADistribution {
                deficit: 1.0,
                wrong: None,
            });
        }
        mean /= &sum;
        second /= &sum;
        Ok(Self { mean, second })
    }
}

/// A lobby in the long run.
#[derive(Clone, Debug)]
pub struct Lobby<T, R> {
    rule: R,
    arrivals: Vec<(u8, T)>,
    room: Room,
    limits: Limits,
    states: StateIndex<Vec<u8>>,
    chain: Ctmc<T>,
    stationary: Vec<T>,
}

/// How many parties may wait.
#[derive(Clone, Copy, Debug)]
enum Room {
    Together(usize),
    OfEachKind(usize),
}

impl Room {
    /// Whether a party of a kind that has found these others has no place to wait.
    fn is_full(self, others: &[u8], kind: u8) -> bool {
        match self {
            Self::Together(room) => others.len() >= room,
            Self::OfEachKind(room) => others.iter().filter(|&&other| other == kind).count() >= room,
        }
    }
}

/// Where a tagged party is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Tagged {
    /// Not there yet.
    Arriving,
    /// Waiting in this lobby at this place.
    Waiting(Vec<u8>, usize),
    Gone,
}

impl<T: Scalar, R: Rule> Lobby<T, R> {
    /// A lobby where parties of these kinds arrive at these rates.
    ///
    /// # Errors
    /// [`Error::Negative`], [`Error::NotANumber`] for rates, as from the empty lobby to the one with a party of that kind;
    /// [`Error::TooLarge`] where the lobby may grow beyond the default limits, as it does if it is unstable. A lobby is
    /// kept party by party, so as many parties in all lobbies together are allowed as transitions. [`Error::WrongPlace`]
    /// where the rule matches parties that are not there.
    pub fn new(rule: R, arrivals: Vec<(u8, T)>) -> Result<Self, Error> {
        Self::with_capacity(rule, arrivals, usize::MAX, Limits::default())
    }

    /// A lobby with room for so many parties: who finds it full, and nobody to play with, is turned away.
    ///
    /// # Errors
    /// As [`Lobby::new`], with these limits.
    pub fn with_capacity(rule: R, arrivals: Vec<(u8, T)>, capacity: usize, limits: Limits) -> Result<Self, Error> {
        Self::with_room(rule, arrivals, Room::Together(capacity), limits)
    }

    /// A lobby with room for so many parties of each kind. Where a game needs several kinds, one that has filled the
    /// lobby cannot keep out the others, as it can in a lobby with room for so many together.
    ///
    /// # Errors
    /// As [`Lobby::new`], with these limits.
    pub fn with_room_for_each(rule: R, arrivals: Vec<(u8, T)>, room: usize, limits: Limits) -> Result<Self, Error> {
        Self::with_room(rule, arrivals, Room::OfEachKind(room), limits)
    }

    fn with_room(rule: R, arrivals: Vec<(u8, T)>, room: Room, limits: Limits) -> Result<Self, Error> {
        for (kind, (_, rate)) in arrivals.iter().enumerate() {
            check_rate(0, kind + 1, rate)?;
        }
        let mut parties = 0;
        let mut places = Ok(());
        let found = explore(
            Vec::new(),
            |lobby: &Vec<u8>| {
                parties += lobby.len();
                if parties > limits.transitions {
                    return Vec::new();
                }
                let next = |(kind, rate): &(u8, T)| Ok((after(&rule, room, lobby, *kind)?.0, rate.clone()));
                unless_wrong(&mut places, || arrivals.iter().map(next).collect())
            },
            limits,
        );
        places?;
        let found = found?;
        if parties > limits.transitions {
            return Err(Error::TooLarge {
                what: "parties in all lobbies",
                limit: limits.transitions,
            });
        }
        let chain = Ctmc::new(&found.steps)?;
        let stationary = chain.stationary()?;
        Ok(Self {
            rule,
            arrivals,
            room,
            limits,
            states: found.states,
            chain,
            stationary,
        })
    }

    /// The lobbies there may be, each the kinds that wait in the order of their arrival, with their long-run shares of
    /// time.
    pub fn stationary(&self) -> impl Iterator<Item = (&[u8], &T)> {
        self.states.names().iter().map(Vec::as_slice).zip(&self.stationary)
    }

    /// The long-run share of time of one lobby; zero if it cannot be.
    pub fn probability(&self, lobby: &[u8]) -> T {
        let state = self.states.find(&lobby.to_vec());
        state.map_or_else(T::zero, |state| self.stationary[state].clone())
    }

    /// The chain of lobbies.
    pub fn chain(&self) -> &Ctmc<T> {
        &self.chain
    }

    /// How many parties of a kind wait in the mean.
    pub fn waiting(&self, kind: u8) -> T {
        let mut sum = T::zero();
        for (lobby, share) in self.stationary() {
            let count = lobby.iter().filter(|&&other| other == kind).count();
            sum += share.clone() * T::ratio(count as i64, 1);
        }
        sum
    }

    /// The share of arriving parties of a kind that find the lobby full, and nobody to play with.
    pub fn turned_away(&self, kind: u8) -> T {
        let full = self.stationary().filter(|(lobby, _)| self.room.is_full(lobby, kind));
        let alone = full.filter(|(lobby, _)| self.rule.matched(&[lobby, &[kind][..]].concat()).is_empty());
        alone.fold(T::zero(), |sum, (_, share)| sum + share.clone())
    }

    /// The wait of an arriving party of a kind; the kind need not be among the arrivals. Who is turned away waits no
    /// time.
    ///
    /// # Errors
    /// [`Error::TooLarge`]; [`Error::Unreachable`] if it may wait forever; [`Error::WrongPlace`] as for [`Lobby::new`].
    ///
    /// # Complexity
    /// One elimination of as many states as there are waiting parties in all lobbies.
    pub fn wait(&self, kind: u8) -> Result<Moments<T>, Error> {
        let (states, passage) = self.tagged(kind)?;
        self.at_arrival(kind, &states, &passage.moments(2))
    }

    /// The expected wait left of a party at a place of a lobby.
    ///
    /// # Errors
    /// As [`Lobby::wait`]; [`Error::StateOutOfRange`] where no party of that kind can stand there.
    pub fn wait_left(&self, lobby: &[u8], place: usize) -> Result<T, Error> {
        let missing = Error::StateOutOfRange {
            state: place,
            len: lobby.len(),
        };
        let kind = *lobby.get(place).ok_or_else(|| missing.clone())?;
        let (states, passage) = self.tagged(kind)?;
        let state = states.find(&Tagged::Waiting(lobby.to_vec(), place));
        Ok(passage.moments(1)[0][state.ok_or(missing)?].clone())
    }

    /// Where a tagged party of a kind may be, and when it is gone.
    fn tagged(&self, kind: u8) -> Result<(StateIndex<Tagged>, Passage<T>), Error> {
        let mut places = Ok(());
        let steps = |tagged: &Tagged| unless_wrong(&mut places, || self.tagged_steps(tagged, kind));
        let found = explore(Tagged::Arriving, steps, self.limits);
        places?;
        let found = found?;
        let gone = found.states.find(&Tagged::Gone);
        let passage = Passage::ctmc(&Ctmc::new(&found.steps)?, gone.as_slice())?;
        Ok((found.states, passage))
    }

    fn at_arrival(&self, kind: u8, states: &StateIndex<Tagged>, moments: &[Vec<T>]) -> Result<Moments<T>, Error> {
        let (mut mean, mut second) = (T::zero(), T::zero());
        for (lobby, share) in self.stationary() {
            let tagged = self.tagged_after(lobby, kind)?;
            if let Some(state) = states.find(&tagged) {
                mean += share.clone() * moments[0][state].clone();
                second += share.clone() * moments[1][state].clone();
            }
        }
        Ok(Moments { mean, second })
    }

    /// Where a tagged party is after its arrival.
    fn tagged_after(&self, lobby: &[u8], kind: u8) -> Result<Tagged, Error> {
        let (next, left) = after(&self.rule, self.room, lobby, kind)?;
        if left.contains(&lobby.len()) {
            Ok(Tagged::Gone)
        } else {
            let place = lobby.len() - left.len();
            Ok(Tagged::Waiting(next, place))
        }
    }

    fn tagged_steps(&self, tagged: &Tagged, kind: u8) -> Result<Vec<(Tagged, T)>, Error> {
        match tagged {
            Tagged::Arriving => {
                let lobbies = self.stationary();
                lobbies
                    .map(|(lobby, share)| Ok((self.tagged_after(lobby, kind)?, share.clone())))
                    .collect()
            }
            Tagged::Waiting(lobby, place) => {
                let next = |(kind, rate): &(u8, T)| {
                    let (next, left) = after(&self.rule, self.room, lobby, *kind)?;
                    let tagged = if left.contains(place) {
                        Tagged::Gone
                    } else {
                        let ahead = left.iter().filter(|&other| other < place).count();
                        Tagged::Waiting(next, place - ahead)
                    };
                    Ok((tagged, rate.clone()))
                };
                self.arrivals.iter().map(next).collect()
            }
            Tagged::Gone => Ok(Vec::new()),
        }
    }
}

/// What a state leads to, and nothing once that was wrong somewhere: exploring ends then, and the error is told.
fn unless_wrong<S>(so_far: &mut Result<(), Error>, steps: impl FnOnce() -> Result<Vec<S>, Error>) -> Vec<S> {
    if so_far.is_err() {
        return Vec::new();
    }
    steps().unwrap_or_else(|error| {
        *so_far = Err(error);
        Vec::new()
    })
}

/// Refuses places that are not there, and those that were listed before.
fn check_places(left: &[usize], parties: usize) -> Result<(), Error> {
    // Of one more than there are parties some one is wrong: no list is read further.
    let mut places = left.iter().enumerate().take(parties + 1);
    match places.find(|&(at, place)| *place >= parties || left[..at].contains(place)) {
        Some((_, &place)) => Err(Error::WrongPlace { place, parties }),
        None => Ok(()),
    }
}

/// The lobby after an arrival, and the places of who left, the arrival having the last one.
fn after(rule: &impl Rule, room: Room, lobby: &[u8], kind: u8) -> Result<(Vec<u8>, Vec<usize>), Error> {
    let mut parties = lobby.to_vec();
    parties.push(kind);
    let mut left = rule.matched(&parties);
    check_places(&left, parties.len())?;
    if left.is_empty() && room.is_full(lobby, kind) {
        left = vec![lobby.len()];
    }
    let mut place = 0;
    parties.retain(|_| {
        place += 1;
        !left.contains(&(place - 1))
    });
    Ok((parties, left))
}
