-- Rule files and transcripts in Neovim (0.8 or newer), by the language server. For highlighting, source editors/vim/referee.vim too.
vim.filetype.add({ extension = { rules = "referee", ["in"] = function(path)
  local folder = vim.fn.fnamemodify(path, ":p:h")
  if vim.fn.glob(folder .. "/*.rules") .. vim.fn.glob(folder .. "/../*.rules") ~= "" then return "referee-transcript" end
end } })
vim.api.nvim_create_autocmd("FileType", { pattern = { "referee", "referee-transcript" }, callback = function(event)
  vim.bo[event.buf].commentstring = "-- %s"
  vim.lsp.start({ name = "referee", cmd = { "referee", "lsp" }, root_dir = vim.fn.fnamemodify(event.file, ":p:h") })
end })
vim.api.nvim_create_autocmd("BufWritePre", { pattern = "*.rules", callback = function() vim.lsp.buf.format() end })
