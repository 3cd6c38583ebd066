// What depends on the characters around it: a comment, which stands after a blank and before one; a `-`, which does not
// stand before `-`, `>` and `=`; a number, which no letter is stuck to; and the words of a text, in which blanks count.

#include "tree_sitter/parser.h"

enum Token { COMMENT, MINUS, NUMBER, PLAIN_DOUBLE, PLAIN_SINGLE };

static bool is_blank(int32_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }
static bool is_letter(int32_t c) {
  return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void digits(TSLexer *lexer) {
  while (is_digit(lexer->lookahead)) {
    lexer->advance(lexer, false);
  }
}

static bool finish(TSLexer *lexer, enum Token token) {
  lexer->mark_end(lexer);
  lexer->result_symbol = token;
  return true;
}

// The words of a text up to its quote, a hole, an escape or the line's end.
static bool plain(TSLexer *lexer, enum Token token) {
  int32_t quote = token == PLAIN_DOUBLE ? '"' : '\'';
  bool some = false;
  while (!lexer->eof(lexer) && lexer->lookahead != quote && lexer->lookahead != '{' && lexer->lookahead != '}' &&
         lexer->lookahead != '\\' && lexer->lookahead != '\n') {
    lexer->advance(lexer, false);
    some = true;
  }
  return some && finish(lexer, token);
}

static bool comment(TSLexer *lexer) {
  while (!lexer->eof(lexer) && lexer->lookahead != '\n') {
    lexer->advance(lexer, false);
  }
  return finish(lexer, COMMENT);
}

void *tree_sitter_referee_external_scanner_create(void) { return NULL; }
void tree_sitter_referee_external_scanner_destroy(void *payload) { (void)payload; }
unsigned tree_sitter_referee_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload, (void)buffer;
  return 0;
}
void tree_sitter_referee_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload, (void)buffer, (void)length;
}

bool tree_sitter_referee_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  (void)payload;
  // Both kinds of text are only asked for at once after a mistake, where nothing tells which it is.
  if (valid[PLAIN_DOUBLE] != valid[PLAIN_SINGLE]) {
    return plain(lexer, valid[PLAIN_DOUBLE] ? PLAIN_DOUBLE : PLAIN_SINGLE);
  }
  bool after_blank = lexer->get_column(lexer) == 0;
  while (is_blank(lexer->lookahead)) {
    lexer->advance(lexer, true);
    after_blank = true;
  }
  if (lexer->lookahead == '-') {
    lexer->advance(lexer, false);
    if (lexer->lookahead == '-') {
      lexer->advance(lexer, false);
      return after_blank && (lexer->eof(lexer) || is_blank(lexer->lookahead)) && comment(lexer);
    }
    return valid[MINUS] && lexer->lookahead != '>' && lexer->lookahead != '=' && finish(lexer, MINUS);
  }
  if (valid[NUMBER] && is_digit(lexer->lookahead)) {
    digits(lexer);
    lexer->mark_end(lexer);
    lexer->result_symbol = NUMBER;
    if (lexer->lookahead == '.') {
      lexer->advance(lexer, false);
      if (!is_digit(lexer->lookahead)) {
        return true; // the range `1..9`
      }
      digits(lexer);
      lexer->mark_end(lexer);
    }
    return !is_letter(lexer->lookahead);
  }
  return false;
}
