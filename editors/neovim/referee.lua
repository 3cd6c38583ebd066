-- Rule files in Neovim: formatted when they are saved, and then checked. For highlighting, source editors/vim/referee.vim too.
vim.filetype.add({ extension = { rules = "referee" } })
local space = vim.api.nvim_create_namespace("referee")
vim.api.nvim_create_autocmd("BufWritePre", { pattern = "*.rules", callback = function(event)
  local lines = vim.api.nvim_buf_get_lines(event.buf, 0, -1, false)
  local new = vim.fn.systemlist({ "referee", "fmt", "-" }, lines)
  if vim.v.shell_error == 0 and not vim.deep_equal(lines, new) then vim.api.nvim_buf_set_lines(event.buf, 0, -1, false, new) end
end })
vim.api.nvim_create_autocmd({ "BufReadPost", "BufWritePost" }, { pattern = "*.rules", callback = function(event)
  local found = {}
  for _, line in ipairs(vim.fn.systemlist({ "referee", "check", "--format", "json", vim.fn.fnamemodify(event.file, ":p") })) do
    local ok, one = pcall(vim.json.decode, line)
    local at = ok and one.labels[1]
    if at then table.insert(found, { lnum = at.line - 1, col = at.column - 1, end_lnum = at["end"].line - 1, end_col = at["end"].column - 1,
      message = one.message, code = one.code, source = "referee", severity = one.severity == "error" and 1 or 2 }) end
  end
  vim.diagnostic.set(space, event.buf, found)
end })
