" Rule files in Vim: highlighted, formatted when they are saved, and checked by :make.
autocmd BufNewFile,BufRead *.rules set filetype=referee
autocmd FileType referee setlocal commentstring=--\ %s comments=:-- expandtab shiftwidth=2 makeprg=referee\ check\ %:S
autocmd FileType referee setlocal errorformat=%E%trror[%.%#]:\ %m,%W%tarning[%.%#]:\ %m,%Z\ %#-->\ %f:%l:%c,%-G%.%#
autocmd BufWritePre *.rules call RefereeFormat()
function! RefereeFormat() abort
  let lines = systemlist('referee fmt -', getline(1, '$'))
  if v:shell_error || lines == getline(1, '$') | return | endif
  let view = winsaveview() | silent %delete _ | call setline(1, lines) | call winrestview(view)
endfunction
if !exists('g:syntax_on') | syntax enable | endif
autocmd BufWinEnter *.rules call RefereeSyntax()
function! RefereeSyntax() abort
  if exists('b:current_syntax') | return | endif
  syntax keyword Statement add begin event except example fact follows game given grid illegal impossible inline just kind limit maybe on option per play policy refuse remove repeat replace report ring round set start state transcript type use variant write
  syntax keyword Operator after and any before best but by cites each else every for has highest in is lowest mod new not of old or previous says some sorted the then unless until when where with within without
  syntax keyword Constant empty no none yes | syntax match Number /\<\d\+\(\.\d\+\)\?\>/ | syntax match Operator /\<rounded \(down\|up\|even\)\( to\)\?\>/ | syntax match Statement /\<seen by\>\|\<hidden\>/ | syntax match Type /\<\u\w*/ | syntax match Label /|\s*\zs\a\w*\ze\s*:/
  syntax region String start=/"/ skip=/\\./ end=/"/ oneline contains=refereeHole | syntax match refereeHole /{[^{}"]*}/ contained
  syntax match Comment /\(^\|\s\)\zs--\(\s.*\)\?$/ | highlight default link refereeHole Special | let b:current_syntax = 'referee'
endfunction
