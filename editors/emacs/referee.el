;; Rule files in Emacs: highlighted, formatted when they are saved, and checked by M-x compile.
(define-derived-mode referee-mode prog-mode "Referee"
  (setq-local comment-start "-- " comment-start-skip "--\\s-+" indent-tabs-mode nil
              compile-command (concat "referee check " (shell-quote-argument (or buffer-file-name "")))
              font-lock-defaults
              `(((,"\\(?:^\\|\\s-\\)\\(--\\(?:\\s-.*\\)?\\)$" 1 font-lock-comment-face t)
                 (,"|\\s-*\\([A-Za-z]\\w*\\)\\s-*:" 1 font-lock-function-name-face)
                 (,(regexp-opt '("event" "example" "except" "fact" "follows" "for" "game" "given" "grid" "illegal" "impossible" "just" "kind" "on" "option" "policy" "refuse" "report" "ring" "says" "set" "state" "transcript" "type" "unless" "until" "use" "variant" "when" "where" "write") 'symbols) . font-lock-keyword-face)
                 (,"\\_<[A-Z]\\(?:\\sw\\|\\s_\\)*" . font-lock-type-face))))
  (add-hook 'before-save-hook #'referee-format nil t))
(defun referee-format ()
  "Format the buffer, unless something is wrong with it."
  (let ((new (generate-new-buffer " *referee*" t)))
    (when (eq 0 (call-process-region nil nil "referee" nil (list new nil) nil "fmt" "-"))
      (replace-buffer-contents new))
    (kill-buffer new)))
(add-to-list 'auto-mode-alist '("\\.rules\\'" . referee-mode))
(with-eval-after-load 'compile (add-to-list 'compilation-error-regexp-alist '("^ *--> \\([^:\n]+\\):\\([0-9]+\\):\\([0-9]+\\)" 1 2 3)))
