//! What is wrong is said, with its place.

use matchmaking::online::{
    Account, Arrivals, Error, Games, Log, Matchmaker, MultiQueue, Pattern, PolicyKind, Setting, simulate,
};

#[test]
fn logs_that_are_wrong() {
    let cases: [(&str, &str); 19] = [
        ("", "line 1: the file is empty"),
        ("time,criterion\n", "line 1: there is a header and no arrival"),
        ("criterion\n0.5\n", "`time` is missing"),
        ("time\n0.5\n", "`criterion` is missing"),
        ("time,criterion,time\n1,1,1\n", "\"time\" appears twice"),
        ("time,criterion\n1,0.5\n2\n", "line 3: 1 field where the header has 2"),
        (
            "time,criterion\n1,0.5\n0.5,0.5\n",
            "line 3, column time: 0.5 comes after 1",
        ),
        (
            "time,criterion\n1,x\n",
            "line 2, column criterion: \"x\" is not a number",
        ),
        ("time,criterion\n,0.1\n", "line 2, column time: \"\" is not a number"),
        (
            "time,criterion\n1,NaN\n",
            "line 2, column criterion: \"NaN\" is not a number",
        ),
        (
            "time,criterion\nNaN,0\n",
            "line 2, column time: \"NaN\" is not a number",
        ),
        ("time,criterion\ninf,0\n", "line 2, column time: \"inf\" is infinite"),
        (
            "time,criterion\n1,1.01\n",
            "line 2, column criterion: \"1.01\" lies outside [0, 1]",
        ),
        (
            "time,criterion\n1,-0.1\n",
            "line 2, column criterion: \"-0.1\" lies outside",
        ),
        (
            "criterion_skill,time,criterion_ping\n0.5,1,2\n",
            "line 2, column criterion_ping: \"2\" lies outside",
        ),
        ("time,criterion\n\n\n1,0.5\n0,0.5\n", "line 5, column time"),
        (
            "time,criterion\n1e400,0\n",
            "line 2, column time: \"1e400\" is infinite",
        ),
        ("time,criterion\n1,1.50\n", "line 2, column criterion: \"1.50\" lies"),
        ("id,time,criterion\nA,1,0\n ,1,0\n", "line 3, column id: empty"),
    ];
    for (text, part) in cases {
        let message = Log::read_csv(text.as_bytes()).expect_err(text).to_string();
        assert!(message.contains(part), "{text:?}: {message}");
    }
    let message = Log::read_csv(&b"time,criterion\n1,\xff\n"[..])
        .expect_err("not UTF-8")
        .to_string();
    assert!(message.contains("line 2, column criterion: not UTF-8"), "{message}");
}

#[test]
fn logs_that_are_right() -> Result<(), Error> {
    let text = "\u{feff}id, time ,criterion2,note,criterion\r\nAnn,-1.5,0.25,x,1\r\n\"B,b\",-1.5,-0,y,0\r\n";
    let log = Log::read_csv(text.as_bytes())?;
    assert_eq!(log.ids, Some(vec!["Ann".to_owned(), "B,b".to_owned()]));
    assert_eq!(log.unknown_columns, ["note"]);
    assert_eq!(
        (log.arrivals.times(), log.arrivals.criteria(0)),
        (&[-1.5, -1.5][..], &[1.0, 0.25][..])
    );
    Ok(())
}

/// They came in the order of the columns, so that weights went to others than those that were meant.
#[test]
fn criteria_come_in_the_order_of_their_numbers() -> Result<(), Error> {
    for (header, criteria) in [
        ("criterion2,criterion1", [2.0, 1.0]),
        ("criterion2,criterion", [2.0, 1.0]),
        ("criterion1,criterion2", [1.0, 2.0]),
        ("criterion_skill,criterion_ping", [1.0, 2.0]),
        ("criterion_skill,criterion1", [2.0, 1.0]),
        ("criterion1,criterion0", [2.0, 1.0]),
    ] {
        let log = Log::read_csv(format!("{header},time\n0.1,0.2,0\n").as_bytes())?;
        assert_eq!(
            log.arrivals.criteria(0),
            criteria.map(|tenths| tenths / 10.0),
            "{header}"
        );
    }
    let wrong = Log::read_csv(&b"time,criterion2,criterion1\n0,0.5,3\n"[..]).expect_err("beyond 1");
    assert!(wrong.to_string().contains("column criterion1: \"3\""), "{wrong}");
    Ok(())
}

/// Of criteria 1 and 3 a game had two, though the second one's column had been lost.
#[test]
fn numbers_of_criteria_leave_none_out() {
    for (header, column, expected) in [
        ("criterion1,criterion3", "criterion3", 2),
        ("criterion3,criterion", "criterion3", 2),
        ("criterion2,criterion_skill", "criterion2", 1),
        ("criterion0,criterion2", "criterion2", 1),
        ("criterion,criterion1", "criterion1", 2),
        (
            "criterion18446744073709551615,criterion1",
            "criterion18446744073709551615",
            2,
        ),
    ] {
        let refused = Log::read_csv(format!("{header},time\n0.1,0.2,0\n").as_bytes()).expect_err(header);
        let column = column.to_owned();
        let error = Error::CriteriaOutOfStep {
            line: 1,
            column,
            expected,
        };
        assert_eq!(refused, error, "{header}");
        assert!(
            refused.to_string().contains(&format!("criterion{expected} is next")),
            "{refused}"
        );
    }
    // The numbers count, not the order of columns.
    let ten: Vec<String> = (1..=10).rev().map(|number| format!("criterion{number}")).collect();
    let log = Log::read_csv(format!("time,{}\n0,1,0,0,0,0,0,0,0,0,0.5\n", ten.join(",")).as_bytes());
    let criteria = log.expect("ten criteria").arrivals.criteria(0).to_owned();
    assert_eq!((criteria[0], criteria[9]), (0.5, 1.0));
}

#[test]
fn settings_and_policies_that_make_no_sense() -> Result<(), Error> {
    assert_eq!(Setting::new(1, 5.0, 1), Err(Error::BadGameSize { players: 1 }));
    assert_eq!(Setting::new(2, 0.0, 1), Err(Error::BadTauMax { found: 0.0 }));
    assert!(Setting::new(2, f64::NAN, 1).is_err() && Setting::new(2, f64::INFINITY, 1).is_err());
    assert_eq!(Setting::new(2, 5.0, 0), Err(Error::NoCriteria));
    let bad = Setting::with_weights(2, 5.0, vec![1.0, -1.0]);
    assert_eq!(
        bad,
        Err(Error::BadWeight {
            criterion: 1,
            found: -1.0
        })
    );

    for (name, part) in [
        ("best", "\"best\" is no policy; there are greedy"),
        ("greedy:1", "is no policy"),
        ("periodic:0", "from 1 on, or auto"),
        ("multi-queue:-1", "from 1 on, or auto"),
        ("multi-queue:x", "\"x\" will not do; write a whole number from 1 on"),
        ("multi-queue:6x", "\"6x\" will not do"),
        ("multi-queue:6x0", "\"6x0\" will not do"),
        ("multi-queue:6x-1", "or one for each of 2 to 20 criteria, like 18x1"),
        (
            "multi-queue:1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1",
            "2 to 20 criteria",
        ),
        ("multi-queue:99999999999999999999x1", "will not do"),
        ("difference-wait:x", "write a finite number"),
        ("threshold:1", "two numbers"),
        // It was `2,3` that is no number.
        ("threshold:1,2,3", "\"1,2,3\" will not do; write two numbers"),
        ("ticks:NaN", "finite number"),
    ] {
        let message = name.parse::<PolicyKind>().expect_err(name).to_string();
        assert!(message.contains(part), "{name}: {message}");
    }
    let three = Setting::new(3, 5.0, 2)?;
    for name in ["periodic:2", "difference-wait:1", "threshold:0,1", "slack", "ticks:1"] {
        let kind: PolicyKind = name.parse()?;
        assert!(matches!(kind.build(&three), Err(Error::Unsuited { .. })), "{name}");
    }
    let one = Setting::new(3, 5.0, 1)?;
    let unsuited = PolicyKind::Slack.build(&one).map(|_| ()).expect_err("games of three");
    assert!(
        unsuited.to_string().ends_with("3 players and 1 criterion"),
        "{unsuited}"
    );
    let lists: PolicyKind = "multi-queue:2x3x1".parse()?;
    assert_eq!(lists.to_string(), "multi-queue:2x3x1");
    let other = lists.build(&three).map(|_| ()).expect_err("two criteria").to_string();
    assert!(
        other.starts_with("multi-queue serves as many criteria as it has numbers of ranges")
            && other.ends_with("2 criteria"),
        "{other}"
    );
    for (list, needed) in [
        ("1024x1024", true),
        ("1024x1025", false),
        ("1048576x1", true),
        ("4294967296x4294967296", false),
    ] {
        let kind: PolicyKind = format!("multi-queue:{list}").parse()?;
        let built = kind.build(&three).map(|_| ());
        assert_eq!(built.is_ok(), needed, "{list}");
        if let Err(error) = built {
            assert!(
                matches!(&error, Error::BadParameter { found, .. } if found == list),
                "{error}"
            );
        }
    }
    assert!(matches!(
        MultiQueue::by_criterion(&three, &[3, 0]),
        Err(Error::BadParameter { .. })
    ));
    assert!(matches!(
        MultiQueue::by_criterion(&three, &[3]),
        Err(Error::Unsuited { .. })
    ));
    let pairs = Setting::new(2, 5.0, 1)?;
    for name in [
        "difference-wait:-1",
        "threshold:-1,1",
        "threshold:1,0",
        "ticks:0",
        "multi-queue:99999999",
    ] {
        let kind: PolicyKind = name.parse()?;
        assert!(matches!(kind.build(&pairs), Err(Error::BadParameter { .. })), "{name}");
    }
    Ok(())
}

#[test]
fn games_that_are_no_matching() -> Result<(), Error> {
    let setting = Setting::new(2, 5.0, 1)?;
    let arrivals = Arrivals::new(1, [(0.0, &[0.5][..]), (1.0, &[0.5][..]), (9.0, &[0.5][..])])?;
    let account = |list: &[(f64, &[u32])]| {
        let mut games = Games::new();
        list.iter()
            .for_each(|(time, players)| games.push(*time, players.iter().copied()));
        Account::new(&setting, &arrivals, &games).map(|account| account.total())
    };
    assert_eq!(account(&[(1.0, &[0, 1]), (14.0, &[2])]), Ok(0.2 + 4.0));
    assert_eq!(account(&[(1.0, &[0, 1])]), Err(Error::NotServed { player: 2 }));
    for list in [
        &[(1.0, &[0, 3][..])][..],
        &[(1.0, &[0, 0])],
        &[(1.0, &[])],
        &[(1.0, &[0, 1, 2])],
        &[(0.5, &[0, 1])],
        &[(9.0, &[1, 2])],
        &[(f64::INFINITY, &[0])],
        &[(f64::NAN, &[0])],
    ] {
        assert!(matches!(account(list), Err(Error::BadGame { game: 0, .. })), "{list:?}");
    }
    Ok(())
}

/// In seconds since 1970 a wait of twice the longest one passed for rounding.
#[test]
fn waits_are_checked_at_late_times_too() -> Result<(), Error> {
    let setting = Setting::new(2, 1.0, 1)?;
    let now = 1.7e9;
    let arrivals = Arrivals::new(1, [(now, &[0.5][..]), (now + 1.5, &[0.5][..])])?;
    let mut games = Games::new();
    games.push(now + 1.5, [0, 1]);
    let account = Account::new(&setting, &arrivals, &games);
    assert!(matches!(account, Err(Error::BadGame { game: 0, .. })), "{account:?}");
    Ok(())
}

/// All of them started at once, at no cost.
#[test]
fn times_too_coarse_for_the_longest_wait() -> Result<(), Error> {
    let setting = Setting::new(2, 5.0, 1)?;
    let arrivals = Arrivals::new(1, [(1e17, &[0.5][..]), (1e17 + 16.0, &[0.5][..])])?;
    let policy = PolicyKind::Greedy.build(&setting)?;
    let games = simulate(&setting, policy, &arrivals);
    assert!(matches!(games, Err(Error::CoarseTimes { .. })), "{games:?}");
    Ok(())
}

#[test]
fn rates_that_make_no_sense() {
    for pattern in [
        Pattern::Constant(-1.0),
        Pattern::Rising(0.0),
        Pattern::Constant(f64::NAN),
    ] {
        let arrivals = pattern.arrivals(3, 1, 0);
        assert!(matches!(arrivals, Err(Error::BadPattern { .. })), "{arrivals:?}");
    }
}

/// A live matchmaker took times that a replay of its log refuses: nanoseconds since 1970 where `τ_max` is in seconds,
/// beside which every wait is lost in rounding.
#[test]
fn who_serves_live_is_told_of_coarse_times_too() -> Result<(), Error> {
    let setting = Setting::new(2, 30.0, 1)?;
    let mut matchmaker = Matchmaker::new(setting.clone(), PolicyKind::Slack.build(&setting)?)?;
    let nanoseconds = 1.8e18;
    let coarse = Error::CoarseTimes {
        time: nanoseconds,
        tau_max: 30.0,
    };
    assert_eq!(matchmaker.arrive(nanoseconds, &[0.5]), Err(coarse.clone()));
    let arrivals = Arrivals::new(1, [(nanoseconds, &[0.5][..])])?;
    assert_eq!(
        simulate(&setting, PolicyKind::Slack.build(&setting)?, &arrivals).err(),
        Some(coarse)
    );
    // Nobody has arrived; seconds since 1970 are fine.
    assert_eq!(matchmaker.arrive(1.8e9, &[0.5]), Ok(0));
    Ok(())
}

/// A policy for one criterion panicked where there are two; one for another longest wait or size of games served by it.
#[test]
fn a_policy_serves_the_setting_that_it_was_built_for() -> Result<(), Error> {
    let setting = Setting::new(2, 5.0, 1)?;
    let others = [
        Setting::new(2, 5.0, 2)?,
        Setting::new(2, 4.0, 1)?,
        Setting::new(3, 5.0, 1)?,
        Setting::with_weights(2, 5.0, vec![0.5])?,
    ];
    let names = "greedy periodic:1 periodic:auto multi-queue:6 multi-queue:auto difference-wait:3 threshold:0.2,0.5 ticks:1 \
                 slack";
    for kind in names.split_whitespace().map(str::parse::<PolicyKind>) {
        let kind = kind?;
        Matchmaker::new(setting.clone(), kind.build(&setting)?)?;
        for other in &others {
            let refused = Error::OtherSetting {
                built_for: setting.clone(),
                setting: other.clone(),
            };
            let found = Matchmaker::new(other.clone(), kind.build(&setting)?).map(|_| ());
            assert_eq!(found, Err(refused.clone()), "{kind}");
            let arrivals = Pattern::Constant(1.0).arrivals(10, other.criteria(), 1)?;
            assert_eq!(
                simulate(other, kind.build(&setting)?, &arrivals),
                Err(refused),
                "{kind}"
            );
        }
    }
    let message = Error::OtherSetting {
        built_for: setting,
        setting: others[0].clone(),
    };
    let message = message.to_string();
    assert!(
        message.contains("built for games of 2 players within 5 by weights of 2,"),
        "{message}"
    );
    assert!(
        message.contains("serve games of 2 players within 5 by weights of 1, 1;"),
        "{message}"
    );
    Ok(())
}
