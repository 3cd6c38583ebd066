//! The command.
#![allow(
    clippy::print_stdout,
    clippy::allow_attributes_without_reason,
    clippy::print_stderr
)]

fn main() {
    let library = referee::library::Library::shipped();
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|a| a == "run") { args.remove(0); if args.len() == 1 { args.push("/dev/stdin".into()); } if args.get(1).is_some_and(|a| a == "--transcript") { args[1] = "/dev/stdin".into(); } }
    let Ok(text) = library.find(&args[0]) else {
        return;
    };
    match referee::game::Game::from_text(&text.name, &text.text, &library, &[]) {
        Ok(game) => {
            for w in game.warnings() {
                println!(
                    "{}",
                    w.draw(game.sources(), referee::diagnostic::Colour::Never)
                );
            }
            if let Some(file) = args.get(1) {
                let mut input = std::fs::File::open(file).expect("x");
                if let Err(f) = game.run(
                    args.get(2).map(String::as_str),
                    file,
                    &mut input,
                    &mut std::io::stdout().lock(),
                ) {
                    eprintln!("{}", f.draw(referee::diagnostic::Colour::Never));
                    std::process::exit(4);
                }
            } else {
                println!("fine");
            }
        }
        Err(invalid) => println!("{}", invalid.draw(referee::diagnostic::Colour::Never)),
    }
}
