/// The rules that traffic is judged by.
public enum LintRules {}
