;; Rule files and transcripts in Emacs (29 or newer, or with the package eglot): highlighted, checked and completed by the
;; language server, formatted when they are saved.
(define-derived-mode referee-mode prog-mode "Referee"
  (setq-local comment-start "-- " comment-start-skip "--\\s-+" indent-tabs-mode nil
              compile-command (concat "referee check " (shell-quote-argument (or buffer-file-name "")))
              font-lock-defaults
              `(((,"\\(?:^\\|\\s-\\)\\(--\\(?:\\s-.*\\)?\\)$" 1 font-lock-comment-face t)
                 (,"|\\s-*\\([A-Za-z]\\w*\\)\\s-*:" 1 font-lock-function-name-face)
                 (,(regexp-opt '("begin" "cites" "event" "example" "except" "fact" "follows" "for" "game" "given" "grid" "hidden" "illegal" "impossible" "just" "kind" "on" "option" "per" "policy" "refuse" "report" "ring" "round" "says" "seen" "set" "state" "transcript" "type" "unless" "until" "use" "variant" "when" "where" "write") 'symbols) . font-lock-keyword-face)
                 (,"\\_<[A-Z]\\(?:\\sw\\|\\s_\\)*" . font-lock-type-face))))
  (add-hook 'before-save-hook #'referee-format nil t))
(defun referee-format () "Format the buffer by the language server, if it runs."
  (when (and (fboundp 'eglot-managed-p) (eglot-managed-p)) (eglot-format-buffer)))
(define-derived-mode referee-transcript-mode text-mode "Transcript")
(define-derived-mode referee-report-mode text-mode "Report")
(defun referee-account-p (ending) "Whether this file ends so, and rule files lie beside it or beside its folder."
  (let ((file (or buffer-file-name "")))
    (and (string-suffix-p ending file)
         (or (file-expand-wildcards (expand-file-name "*.rules" (file-name-directory file)))
             (file-expand-wildcards (expand-file-name "../*.rules" (file-name-directory file)))))))
(defun referee-project (folder) "The outermost folder around FOLDER that has rule files: a game and its variants have one server."
  (let (found inner)
    (while (not (equal folder inner))
      (when (file-expand-wildcards (expand-file-name "*.rules" folder)) (setq found folder))
      (setq inner folder folder (file-name-directory (directory-file-name folder))))
    (and found (cons 'transient found))))
(add-hook 'project-find-functions #'referee-project t) ; where there is no repository
(add-to-list 'magic-mode-alist (cons (lambda () (referee-account-p ".in")) #'referee-transcript-mode))
(add-to-list 'magic-mode-alist (cons (lambda () (referee-account-p ".out")) #'referee-report-mode))
(add-to-list 'auto-mode-alist '("\\.rules\\'" . referee-mode))
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '((referee-mode referee-transcript-mode referee-report-mode) . ("referee" "lsp"))))
(add-hook 'referee-mode-hook #'eglot-ensure)
(add-hook 'referee-transcript-mode-hook #'eglot-ensure)
(add-hook 'referee-report-mode-hook #'eglot-ensure)
(with-eval-after-load 'compile (add-to-list 'compilation-error-regexp-alist '("^ *--> \\([^:\n]+\\):\\([0-9]+\\):\\([0-9]+\\)" 1 2 3)))
