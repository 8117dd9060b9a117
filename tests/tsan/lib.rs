//! Nothing: a package has to have something besides tests.
