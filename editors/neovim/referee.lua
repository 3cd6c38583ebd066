-- Rule files and transcripts in Neovim (0.11 or newer): the language server, and highlighting by the tree-sitter grammar.
local grammar = vim.fn.expand("~/referee/editors/tree-sitter-referee") -- where `tree-sitter build` has been run
if pcall(vim.treesitter.language.add, "referee", { path = grammar .. "/referee.so" }) then
  for _, file in ipairs(vim.fn.glob(grammar .. "/queries/*.scm", true, true)) do
    vim.treesitter.query.set("referee", vim.fn.fnamemodify(file, ":t:r"), table.concat(vim.fn.readfile(file), "\n"))
  end
end
-- Of an account beside rule files, or in a folder beside them: what its file is then.
local function beside_rules(filetype)
  return function(path)
    local folder = vim.fn.fnamemodify(path, ":p:h")
    if vim.fn.glob(folder .. "/*.rules") .. vim.fn.glob(folder .. "/../*.rules") ~= "" then return filetype end
  end
end
vim.filetype.add({ extension = { rules = "referee", ["in"] = beside_rules("referee-transcript"), out = beside_rules("referee-report") } })
-- One server for a game and its variants: in the repository, or else from the outermost folder that has rule files.
local function root(path)
  local found = vim.fs.root(path, ".git")
  if found then return found end
  for folder in vim.fs.parents(path) do
    if vim.fn.glob(folder .. "/*.rules") ~= "" then found = folder end
  end
  return found or vim.fs.dirname(path)
end
vim.api.nvim_create_autocmd("FileType", { pattern = { "referee", "referee-transcript", "referee-report" }, callback = function(event)
  local path = vim.fn.fnamemodify(event.file, ":p")
  vim.lsp.start({ name = "referee", cmd = { "referee", "lsp" }, root_dir = root(path) })
  if event.match ~= "referee" then return end
  vim.bo[event.buf].commentstring = "-- %s"
  pcall(vim.treesitter.start, event.buf)
  vim.wo.foldexpr = "v:lua.vim.treesitter.foldexpr()" -- `:set foldmethod=expr` folds
end })
vim.api.nvim_create_autocmd("BufWritePre", { pattern = "*.rules", callback = function() vim.lsp.buf.format() end })
