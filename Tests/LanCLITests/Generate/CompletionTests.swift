import Foundation
import Testing

@testable import LanCLI

@Suite("Shell completions") struct CompletionTests {
  // Calls the function as bash does: the words, the last of them being completed.
  private func bash(_ words: String...) throws -> [String] { try bash(words) }

  private func bash(_ words: [String]) throws -> [String] {
    let script = """
      source completions/lantool.bash
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lantool; printf '%s\\n' "${COMPREPLY[@]}"
      """
    let result = try Shell.run("bash", ["--norc", "-c", script, "bash"] + words)
    return result.text.split(separator: "\n").map(String.init)
  }

  private func fish(_ line: String) throws -> [String] {
    try described(line).map { String($0.prefix { $0 != "\t" }) }
  }

  /// The words with their descriptions behind a tab.
  private func described(_ line: String) throws -> [String] {
    let script = "source completions/lantool.fish; complete -C $argv[1]"
    let result = try Shell.run("fish", ["--no-config", "-c", script, line])
    return result.text.split(separator: "\n").map(String.init)
  }

  @Test("bash completes", .enabled(if: Shell.has("bash"), "\(Shell.missing("bash"))"))
  func inBash() throws {
    #expect(try bash("lantool", "s") == ["sniff", "serve"])
    #expect(try bash("lantool", "help", "") == Command.all.map(\.declaration.name))
    #expect(try bash("lantool", "sniff", "--js") == ["--json"])
    #expect(try bash("lantool", "sniff", "--color", "=") == ["auto", "always", "never"])
    #expect(try bash("lantool", "sniff", "--color", "=", "al") == ["always"])
    #expect(try bash("lantool", "sniff", "--protocol", "mdns,l") == ["mdns,llmnr"])
    #expect(try bash("lantool", "sniff", "-r", "completions/_") == ["completions/_lantool"])
    #expect(try bash("lantool", "sniff", "-i", "lo").contains("lo"))
    #expect(try bash("lantool", "sniff", "-c", "") == [])
    #expect(try bash("lantool", "sniff", "-").contains("--ring-files"))
    #expect(try !bash("lantool", "-").contains("--generate"))
    for words in [
      ["browse"], ["resolve", "--service"], ["ping-peer", "--browse"], ["serve", "--type"],
    ] {
      #expect(try bash(["lantool"] + words + ["_ipps"]) == ["_ipps._tcp"])
    }
    #expect(try bash("lantool", "resolve", "--service", "=", "_ipps") == ["_ipps._tcp"])
    #expect(try bash("lantool", "resolve", "--type", "HI") == ["HINFO"])
    #expect(try bash("lantool", "browse", "--expect", "x", "--o") == ["--only-types", "--once"])
  }

  @Test(
    "a name from the system is never run by bash, and odd ones are not offered",
    .enabled(if: Shell.has("bash"), "\(Shell.missing("bash"))"))
  func hostileNames() throws {
    let script = """
      source completions/lantool.bash
      folder=$(mktemp -d)
      mkdir "$folder/"{br0,'$(touch ran)','`touch ran`','a;b','wlan0.2'}
      cd "$folder"; _lantool_names . ''; printf '%s ' "${COMPREPLY[@]}" *; rm -r "$folder"
      """
    let result = try Shell.run("bash", ["--norc", "-c", script])
    #expect(result.text.hasPrefix("br0 wlan0.2 $(touch ran) "))
    #expect(!result.text.contains(" ran "))
  }

  @Test("fish completes", .enabled(if: Shell.has("fish"), "\(Shell.missing("fish"))"))
  func inFish() throws {
    #expect(try fish("lantool sn") == ["sniff"])
    #expect(try fish("lantool help sn") == ["sniff"])
    #expect(try fish("lantool sniff --js") == ["--json"])
    #expect(try fish("lantool sniff --color=al") == ["--color=always"])
    #expect(try fish("lantool sniff --protocol mdns,l") == ["mdns,llmnr"])
    #expect(try fish("lantool sniff -r completions/_") == ["completions/_lantool"])
    #expect(try fish("lantool sniff -i lo").contains("lo"))
    #expect(try fish("lantool sniff -c ") == [])
    for words in ["browse ", "resolve --service ", "ping-peer --browse ", "serve --type="] {
      #expect(try fish("lantool \(words)_ipps").map { $0.suffix(10) } == ["_ipps._tcp"])
    }
    #expect(try described("lantool browse _witap2") == ["_witap2._tcp\tWiTap game, version 2"])
    #expect(try fish("lantool resolve --type HI") == ["HINFO"])
  }

  // zsh completes in an interactive shell only: this types each line and a tab into one, on a
  // pseudo-terminal, and a key that notes what stands in the line then.
  private static let zshScript = """
    zmodload zsh/zpty
    out=$(mktemp)
    zpty shell 'PS1= TERM=dumb zsh -f -i'
    zpty -w shell 'PS1=""; RPS1=""; unsetopt zle_bracketed_paste; \\
      fpath=('$PWD'/completions $fpath); autoload -Uz compinit; compinit -u -D; \\
      note() { print -r -- "$BUFFER" >> '$out'; zle kill-whole-line }; zle -N note; \\
      bindkey "^X" note; bindkey "^I" complete-word; print rea""dy'
    zpty -r -m shell ignored '*ready*'
    for line in "$@"; do zpty -w -n shell "$line"$'\\t\\x18'; done
    for try in {1..200}; do (( $(wc -l < $out) == $# )) && break; sleep 0.1; done
    cat $out
    rm $out
    zpty -d shell
    """

  @Test(
    "zsh completes", .enabled(if: Shell.has("zsh"), "\(Shell.missing("zsh"))"),
    .timeLimit(.minutes(1)))
  func inZsh() throws {
    let expected = [
      ("lantool sn", "lantool sniff "), ("lantool help sn", "lantool help sniff "),
      ("lantool sniff --js", "lantool sniff --json "),
      ("lantool sniff --color=al", "lantool sniff --color=always "),
      ("lantool sniff --protocol mdns,l", "lantool sniff --protocol mdns,llmnr,"),
      ("lantool sniff --time rel", "lantool sniff --time relative "),
      ("lantool sniff -r completions/_", "lantool sniff -r completions/_lantool "),
      ("lantool sniff -qi lo", "lantool sniff -qi lo "),
      ("lantool sniff -c ", "lantool sniff -c "),
      ("lantool browse _ipps", "lantool browse _ipps._tcp "),
      ("lantool resolve --service _ipps", "lantool resolve --service _ipps._tcp "),
      ("lantool ping-peer --browse _ipps", "lantool ping-peer --browse _ipps._tcp "),
      ("lantool serve --type=_ipps", "lantool serve --type=_ipps._tcp "),
      ("lantool resolve --type HI", "lantool resolve --type HINFO "),
    ]
    let result = try Shell.run("zsh", ["-f", "-c", Self.zshScript, "zsh"] + expected.map(\.0))
    #expect(result.text.split(separator: "\n").map(String.init) == expected.map(\.1))
  }
}
