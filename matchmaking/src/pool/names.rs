//! Words that synthetic player names are made of.

pub(super) const FIRST: [&str; 40] = [
    "Amber", "Arctic", "Bold", "Brave", "Calm", "Clever", "Cosmic", "Crimson", "Daring", "Dusty", "Eager", "Electric",
    "Fierce", "Frosty", "Gentle", "Golden", "Grumpy", "Hidden", "Humble", "Iron", "Jolly", "Lucky", "Lunar", "Mellow",
    "Mighty", "Misty", "Nimble", "Noble", "Proud", "Quiet", "Rapid", "Rusty", "Salty", "Silent", "Silver", "Sly",
    "Stormy", "Sunny", "Swift", "Velvet",
];

pub(super) const SECOND: [&str; 40] = [
    "Badger", "Bear", "Bison", "Cobra", "Comet", "Condor", "Coyote", "Crane", "Dingo", "Dragon", "Eagle", "Falcon",
    "Ferret", "Fox", "Gecko", "Hawk", "Heron", "Ibex", "Jackal", "Jaguar", "Koala", "Lemur", "Lynx", "Magpie",
    "Mantis", "Marten", "Moose", "Newt", "Otter", "Owl", "Panda", "Puma", "Raven", "Robin", "Shark", "Stoat", "Tiger",
    "Viper", "Walrus", "Wolf",
];
