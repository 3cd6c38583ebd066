;; Rule files and transcripts in Emacs (29 or newer, or with eglot): highlighted, checked, completed, formatted when saved.
(define-derived-mode referee-mode prog-mode "Referee"
  (setq-local comment-start "-- " comment-start-skip "--\\s-+" indent-tabs-mode nil
              compile-command (concat "referee check " (shell-quote-argument (or buffer-file-name "")))
              font-lock-defaults
              `(((,"\\(?:^\\|\\s-\\)\\(--\\(?:\\s-.*\\)?\\)$" 1 font-lock-comment-face t)
                 (,"|\\s-*\\([A-Za-z]\\w*\\)\\s-*:" 1 font-lock-function-name-face)
                 (,(regexp-opt '("begin" "cites" "event" "example" "except" "fact" "follows" "for" "game" "given" "grid" "hidden" "illegal" "impossible" "just" "kind" "on" "option" "per" "policy" "refuse" "report" "ring" "round" "says" "seen" "set" "state" "transcript" "type" "unless" "until" "use" "variant" "when" "where" "write") 'symbols) . font-lock-keyword-face)
                 (,"\\_<[A-Z]\\(?:\\sw\\|\\s_\\)*" . font-lock-type-face))))
  (add-hook 'before-save-hook (lambda () (when (and (fboundp 'eglot-managed-p) (eglot-managed-p)) (eglot-format-buffer))) nil t))
(define-derived-mode referee-transcript-mode text-mode "Transcript") (define-derived-mode referee-report-mode text-mode "Report")
(defun referee-folder (own) "The folder above OWN, or OWN itself: the first that has rule files."
  (seq-find (lambda (it) (file-expand-wildcards (expand-file-name "*.rules" it))) (list (expand-file-name "../" own) own)))
(add-hook 'project-find-functions (lambda (own) (let ((it (referee-folder own))) (and it (cons 'transient it)))) t)
(dolist (it '(("in" . referee-transcript-mode) ("out" . referee-report-mode))) ; only beside rules
  (push (cons `(lambda () (and buffer-file-name (equal (file-name-extension buffer-file-name) ,(car it)) (referee-folder default-directory))) (cdr it)) magic-mode-alist))
(add-to-list 'auto-mode-alist '("\\.rules\\'" . referee-mode))
(with-eval-after-load 'eglot (push '((referee-mode referee-transcript-mode referee-report-mode) . ("referee" "lsp")) eglot-server-programs))
(dolist (it '(referee-mode-hook referee-transcript-mode-hook referee-report-mode-hook)) (add-hook it #'eglot-ensure))
(with-eval-after-load 'compile (add-to-list 'compilation-error-regexp-alist '("^ *--> \\([^:\n]+\\):\\([0-9]+\\):\\([0-9]+\\)" 1 2 3)))
