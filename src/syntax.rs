//! Text to tree: the grammar's parser, the tree, and what is said of text that is no rule file.

pub mod ast;
