//! What a picture is made of.

/// A picture: one or more panels side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Name of its file.
    pub file: &'static str,
    /// Title above all panels, which names the paper's figure.
    pub title: String,
    /// The panels; the legend is that of the first.
    pub panels: Vec<Panel>,
}

/// Curves over two axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Title above the panel; empty for none.
    pub title: String,
    /// From left to right.
    pub x: Axis,
    /// From bottom to top.
    pub y: Axis,
    /// The curves, in the order of the legend.
    pub curves: Vec<Curve>,
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it measures, with the unit.
    pub label: &'static str,
    /// Least value shown.
    pub from: f64,
    /// Greatest value shown.
    pub to: f64,
}

/// Points with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// What the legend says.
    pub name: String,
    /// How it is drawn.
    pub look: Look,
    /// The points, from left to right; what lies outside of the axes is not shown.
    pub points: Vec<(f64, f64)>,
}

/// How a curve is drawn; the number picks a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// A line.
    Line(usize),
    /// A dashed line.
    Dashed(usize),
    /// A bar from zero around each point, as wide as the distance of the first two.
    Bars(usize),
    /// Dots.
    Dots(usize),
}
