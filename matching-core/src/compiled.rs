//! What takes long to compile is compiled with this crate, once for each number type.
//!
//! A generic function is compiled in every program that calls it, for each kind of cost that it is called with. So what
//! a caller sees is generic, and no more than a step to one of these, which know the number type and see instances and
//! costs as trait objects, row by row.

use crate::blossom::{Blossom, Objective};
use crate::bottleneck::{self, Bottleneck};
use crate::certificate::Certificate;
use crate::cost::{Cost, CostValue};
use crate::degrees::{self, BMatching, DegreeWitness, Degrees};
use crate::edge_list::EdgeList;
use crate::error::Error;
use crate::explain::{self, DegreesExplanation, Explanation};
use crate::instance::{self, Instance};
use crate::solution::Solution;
use crate::verify::{self, Claim, VerifyError};
use crate::witness::TutteBerge;

/// Ways to code that is compiled here. Part of the sealed side of [`CostValue`].
pub trait Compiled: Sized {
    /// [`Instance::to_edges`] of a cost.
    fn read_edges(cost: &dyn Cost<Value = Self>) -> Result<EdgeList<Self>, Error>
    where
        Self: CostValue;

    /// [`Blossom::solve`].
    fn solve(blossom: &Blossom<Self>, instance: &dyn Instance<Value = Self>) -> Result<Solution<Self>, Error>
    where
        Self: CostValue;

    /// [`Blossom::solve_bottleneck`].
    fn solve_bottleneck(
        blossom: &Blossom<Self>,
        instance: &dyn Instance<Value = Self>,
    ) -> Result<Bottleneck<Self>, Error>
    where
        Self: CostValue;

    /// [`Bottleneck::verify`].
    fn check_bottleneck(instance: &dyn Instance<Value = Self>, answer: &Bottleneck<Self>) -> Result<(), VerifyError>
    where
        Self: CostValue;

    /// [`Blossom::solve_degrees`].
    fn solve_degrees(
        blossom: &Blossom<Self>,
        instance: &dyn Instance<Value = Self>,
        degrees: &Degrees<Self>,
    ) -> Result<BMatching<Self>, Error>
    where
        Self: CostValue;

    /// [`BMatching::verify`].
    fn check_b_matching(instance: &dyn Instance<Value = Self>, answer: &BMatching<Self>) -> Result<(), VerifyError>
    where
        Self: CostValue;

    /// [`verify::degrees_witness`].
    fn check_degree_witness(
        instance: &dyn Instance<Value = Self>,
        degrees: &Degrees<Self>,
        witness: &DegreeWitness,
    ) -> Result<(), VerifyError>
    where
        Self: CostValue;

    /// [`Blossom::explain`].
    fn explain(
        blossom: &Blossom<Self>,
        instance: &dyn Instance<Value = Self>,
        solution: &Solution<Self>,
        pair: (usize, usize),
    ) -> Result<Explanation<Self>, Error>
    where
        Self: CostValue;

    /// [`Explanation::verify`].
    fn check_explanation(
        instance: &dyn Instance<Value = Self>,
        explanation: &Explanation<Self>,
        solution: &Solution<Self>,
    ) -> Result<(), VerifyError>
    where
        Self: CostValue;

    /// [`Blossom::explain_degrees`].
    fn explain_degrees(
        blossom: &Blossom<Self>,
        instance: &dyn Instance<Value = Self>,
        answer: &BMatching<Self>,
        pair: (usize, usize),
    ) -> Result<DegreesExplanation<Self>, Error>
    where
        Self: CostValue;

    /// [`DegreesExplanation::verify`].
    fn check_degrees_explanation(
        instance: &dyn Instance<Value = Self>,
        explanation: &DegreesExplanation<Self>,
        answer: &BMatching<Self>,
    ) -> Result<(), VerifyError>
    where
        Self: CostValue;

    /// [`verify::claim`].
    fn check_claim(instance: &dyn Instance<Value = Self>, claim: &Claim<'_, Self>) -> Result<(), VerifyError>
    where
        Self: CostValue;

    /// [`verify::certificate`].
    fn check_certificate(
        instance: &dyn Instance<Value = Self>,
        objective: &Objective<Self>,
        certificate: &Certificate,
    ) -> Result<i128, VerifyError>
    where
        Self: CostValue;

    /// [`Solution::pairs_at_most`].
    fn pairs_at_most(instance: &dyn Instance<Value = Self>, solution: &Solution<Self>) -> Result<usize, VerifyError>
    where
        Self: CostValue;

    /// [`verify::infeasibility`].
    fn check_witness(
        instance: &dyn Instance<Value = Self>,
        objective: &Objective<Self>,
        witness: &TutteBerge,
    ) -> Result<(), VerifyError>
    where
        Self: CostValue;
}

macro_rules! compiled {
    ($($t:ty),*) => {$(
        impl Compiled for $t {
            fn read_edges(cost: &dyn Cost<Value = $t>) -> Result<EdgeList<$t>, Error> {
                instance::read_edges(cost)
            }

            fn solve(blossom: &Blossom<$t>, instance: &dyn Instance<Value = $t>) -> Result<Solution<$t>, Error> {
                blossom.solve_opaque(instance)
            }

            fn solve_bottleneck(
                blossom: &Blossom<$t>,
                instance: &dyn Instance<Value = $t>,
            ) -> Result<Bottleneck<$t>, Error> {
                bottleneck::solve(blossom, instance)
            }

            fn check_bottleneck(
                instance: &dyn Instance<Value = $t>,
                answer: &Bottleneck<$t>,
            ) -> Result<(), VerifyError> {
                bottleneck::check_bottleneck(instance, answer)
            }

            fn solve_degrees(
                blossom: &Blossom<$t>,
                instance: &dyn Instance<Value = $t>,
                degrees: &Degrees<$t>,
            ) -> Result<BMatching<$t>, Error> {
                degrees::solve(blossom, instance, degrees)
            }

            fn check_b_matching(
                instance: &dyn Instance<Value = $t>,
                answer: &BMatching<$t>,
            ) -> Result<(), VerifyError> {
                verify::check_b_matching(instance, answer)
            }

            fn check_degree_witness(
                instance: &dyn Instance<Value = $t>,
                degrees: &Degrees<$t>,
                witness: &DegreeWitness,
            ) -> Result<(), VerifyError> {
                verify::check_degree_witness(instance, degrees, witness)
            }

            fn explain(
                blossom: &Blossom<$t>,
                instance: &dyn Instance<Value = $t>,
                solution: &Solution<$t>,
                pair: (usize, usize),
            ) -> Result<Explanation<$t>, Error> {
                blossom.explain_opaque(instance, solution, pair)
            }

            fn check_explanation(
                instance: &dyn Instance<Value = $t>,
                explanation: &Explanation<$t>,
                solution: &Solution<$t>,
            ) -> Result<(), VerifyError> {
                explain::check_explanation(instance, explanation, solution)
            }

            fn explain_degrees(
                blossom: &Blossom<$t>,
                instance: &dyn Instance<Value = $t>,
                answer: &BMatching<$t>,
                pair: (usize, usize),
            ) -> Result<DegreesExplanation<$t>, Error> {
                blossom.explain_degrees_opaque(instance, answer, pair)
            }

            fn check_degrees_explanation(
                instance: &dyn Instance<Value = $t>,
                explanation: &DegreesExplanation<$t>,
                answer: &BMatching<$t>,
            ) -> Result<(), VerifyError> {
                explain::check_degrees_explanation(instance, explanation, answer)
            }

            fn check_claim(instance: &dyn Instance<Value = $t>, claim: &Claim<'_, $t>) -> Result<(), VerifyError> {
                verify::check_claim(instance, claim)
            }

            fn check_certificate(
                instance: &dyn Instance<Value = $t>,
                objective: &Objective<$t>,
                certificate: &Certificate,
            ) -> Result<i128, VerifyError> {
                verify::check_certificate(instance, objective, certificate)
            }

            fn pairs_at_most(
                instance: &dyn Instance<Value = $t>,
                solution: &Solution<$t>,
            ) -> Result<usize, VerifyError> {
                verify::pairs_at_most(instance, solution)
            }

            fn check_witness(
                instance: &dyn Instance<Value = $t>,
                objective: &Objective<$t>,
                witness: &TutteBerge,
            ) -> Result<(), VerifyError> {
                verify::check_witness(instance, objective, witness)
            }
        }
    )*};
}
compiled!(i32, i64, i128, f32, f64);
