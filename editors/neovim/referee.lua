-- Rule files and transcripts in Neovim (0.11 or newer): the language server, and highlighting by the tree-sitter grammar.
local grammar = vim.fn.expand("~/referee/editors/tree-sitter-referee") -- where `tree-sitter build` has been run
if pcall(vim.treesitter.language.add, "referee", { path = grammar .. "/referee.so" }) then
  for _, file in ipairs(vim.fn.glob(grammar .. "/queries/*.scm", true, true)) do
    vim.treesitter.query.set("referee", vim.fn.fnamemodify(file, ":t:r"), table.concat(vim.fn.readfile(file), "\n"))
  end
end
local function folder(path) -- the folder above a file's own, or its own: the first that has rule files
  local has_rules = function(it) return vim.fn.glob(it .. "/*.rules") ~= "" end
  return vim.iter({ vim.fn.fnamemodify(path, ":p:h:h"), vim.fn.fnamemodify(path, ":p:h") }):find(has_rules)
end
local function beside_rules(name) return function(path) return folder(path) and name end end
vim.filetype.add({ extension = { rules = "referee", ["in"] = beside_rules("referee-transcript"), out = beside_rules("referee-report") } })
vim.api.nvim_create_autocmd("FileType", { pattern = { "referee", "referee-transcript", "referee-report" }, callback = function(event)
  vim.lsp.start({ name = "referee", cmd = { "referee", "lsp" }, root_dir = vim.fs.root(event.buf, ".git") or folder(event.file) })
  if event.match ~= "referee" then return end
  vim.bo[event.buf].commentstring, vim.wo.foldexpr = "-- %s", "v:lua.vim.treesitter.foldexpr()" -- `:set foldmethod=expr` folds
  pcall(vim.treesitter.start, event.buf)
end })
vim.api.nvim_create_autocmd("BufWritePre", { pattern = "*.rules", callback = function() vim.lsp.buf.format() end })
