//! The command.
#![allow(clippy::print_stdout, clippy::allow_attributes_without_reason)]

fn main() {
    let library = referee::library::Library::shipped();
    for name in std::env::args().skip(1) {
        let Ok(text) = library.find(&name) else {
            continue;
        };
        match referee::game::Game::from_text(&text.name, &text.text, &library, &[]) {
            Ok(game) => {
                for w in game.warnings() {
                    println!(
                        "{}",
                        w.draw(game.sources(), referee::diagnostic::Colour::Never)
                    );
                }
                println!("{name}: fine");
            }
            Err(invalid) => println!("{}", invalid.draw(referee::diagnostic::Colour::Never)),
        }
    }
}
