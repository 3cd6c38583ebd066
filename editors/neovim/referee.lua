-- Rule files and transcripts in Neovim (0.11 or newer): the language server, and highlighting by the tree-sitter grammar.
local grammar = vim.fn.expand("~/referee/editors/tree-sitter-referee") -- where `tree-sitter build` has been run
if pcall(vim.treesitter.language.add, "referee", { path = grammar .. "/referee.so" }) then
  for _, file in ipairs(vim.fn.glob(grammar .. "/queries/*.scm", true, true)) do
    vim.treesitter.query.set("referee", vim.fn.fnamemodify(file, ":t:r"), table.concat(vim.fn.readfile(file), "\n"))
  end
end
vim.filetype.add({ extension = { rules = "referee", ["in"] = function(path)
  local folder = vim.fn.fnamemodify(path, ":p:h")
  if vim.fn.glob(folder .. "/*.rules") .. vim.fn.glob(folder .. "/../*.rules") ~= "" then return "referee-transcript" end
end } })
vim.api.nvim_create_autocmd("FileType", { pattern = { "referee", "referee-transcript" }, callback = function(event)
  vim.bo[event.buf].commentstring = "-- %s"
  pcall(vim.treesitter.start, event.buf)
  vim.wo.foldexpr = "v:lua.vim.treesitter.foldexpr()" -- `:set foldmethod=expr` folds
  vim.lsp.start({ name = "referee", cmd = { "referee", "lsp" }, root_dir = vim.fn.fnamemodify(event.file, ":p:h") })
end })
vim.api.nvim_create_autocmd("BufWritePre", { pattern = "*.rules", callback = function() vim.lsp.buf.format() end })
