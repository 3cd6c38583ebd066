//! The options of a game, written as in its rule file.

use crate::{
    program::Program,
    stream::Value,
    types::{Constant, Type, Types},
};

/// An option of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameOption {
    /// Its name.
    pub name: String,
    /// Its type: `1..15`.
    pub ty: String,
    /// Its value in this game.
    pub value: String,
    /// Its default.
    pub default: String,
    /// The value as data.
    pub data: Value,
    /// The default as data.
    pub default_data: Value,
    /// Its meaning: the comment on its line, possibly empty.
    pub meaning: String,
}

/// The options of `program`.
pub(super) fn told(program: &Program) -> Vec<GameOption> {
    program
        .options
        .iter()
        .map(|option| GameOption {
            name: option.name.clone(),
            ty: program.types.display(&option.ty),
            value: written(&program.types, &option.ty, &option.value),
            default: written(&program.types, &option.ty, &option.default),
            data: data(&program.types, &option.ty, &option.value),
            default_data: data(&program.types, &option.ty, &option.default),
            meaning: option.meaning.clone(),
        })
        .collect()
}

/// A constant of a type, as data.
fn data(types: &Types, ty: &Type, constant: &Constant) -> Value {
    match (constant, ty.required()) {
        (Constant::None, _) => Value::None,
        (Constant::Scalar(value), Type::YesNo) => Value::YesNo(*value != 0),
        (Constant::Scalar(_), Type::Member(_)) | (Constant::Text(_), _) => {
            Value::Text(written(types, ty, constant))
        }
        (Constant::Scalar(_), number) if number.is_decimal() => {
            Value::Text(written(types, ty, constant))
        }
        (Constant::Scalar(number), _) => Value::Number(*number),
    }
}

/// A constant of a type, as a user would write it.
fn written(types: &Types, ty: &Type, constant: &Constant) -> String {
    match (constant, ty.required()) {
        (Constant::None, _) => "none".to_string(),
        (Constant::Text(text), _) => text.clone(),
        (Constant::Scalar(0), Type::YesNo) => "no".to_string(),
        (Constant::Scalar(_), Type::YesNo) => "yes".to_string(),
        (Constant::Scalar(place), Type::Member(part)) => usize::try_from(*place)
            .ok()
            .and_then(|place| types.kind(part.kind).members.get(place))
            .cloned()
            .unwrap_or_default(),
        (Constant::Scalar(number), ty) => types.value_name(ty, *number),
    }
}
