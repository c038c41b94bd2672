import Foundation
import ShowcaseTestSupport
import Testing

/// The completion scripts in their shells, where these are installed.
@Suite(.timeLimit(.minutes(1)))
struct CompletionTests {
  private static let cases = [
    ("showcase mov", ["movie", "movies"]), ("showcase movies ", ["now-playing", "top-rated"]),
    ("showcase screen mo", ["movie", "movies"]), ("showcase sign-in g", ["grace"]),
    ("showcase issues apple/cups --color a", ["always", "auto"]),
    ("showcase serve --ope", ["--open"]), ("showcase cache w", ["why"]),
  ]

  /// Writes the script of a shell, and runs a program in the shell.
  private func run(_ shell: String, _ program: String) async throws -> [String] {
    let script = try await Command.succeed("--generate-completion-script", shell).output
    return try await Command.withFile(script) { path in
      let (end, output) = try await Process.run([shell, "-c", program, "complete", path])
      #expect(end == .success)
      return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  /// Whether a shell is installed; in CI, a missing shell fails the tests.
  private static func has(_ shell: String) -> Bool {
    let environment = ProcessInfo.processInfo.environment
    return environment["CI"] != nil
      || (environment["PATH"] ?? "").split(separator: ":").contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/\(shell)")
      }
  }

  @Test(.enabled(if: has("bash"), "bash is not installed"), arguments: cases)
  func `The script for bash completes`(line: String, words: [String]) async throws {
    let program = """
      source "$1"
      COMP_LINE='\(line)' COMP_POINT=\(line.count)
      read -ra COMP_WORDS <<< "$COMP_LINE"
      [[ $COMP_LINE == *' ' ]] && COMP_WORDS+=('')
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      read -ra registration <<< "$(complete -p showcase)"
      for index in "${!registration[@]}"; do
        [[ ${registration[index]} == -F ]] && function=${registration[index + 1]}
      done
      $function showcase "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    #expect(Set(try await run("bash", program)).isSuperset(of: words))
  }

  @Test(.enabled(if: has("fish"), "fish is not installed"), arguments: cases)
  func `The script for fish completes`(line: String, words: [String]) async throws {
    // With `-c`, the first argument is not the program's name.
    let lines = try await run("fish", "source $argv[2]; complete -C '\(line)'")
    #expect(Set(lines.map { String($0.prefix { $0 != "\t" }) }).isSuperset(of: words))
  }

  @Test(.enabled(if: has("zsh"), "zsh is not installed"), arguments: cases)
  func `The script for zsh completes`(line: String, words: [String]) async throws {
    // zsh completes only in a terminal; `zpty -r` waits for the words.
    let program = """
      zmodload zsh/zpty
      zpty shell env TERM=vt100 zsh -fi
      zpty -w shell "autoload -Uz compinit; compinit -D; . $1"
      zpty -w -n shell '\(line)'$'\\t\\t'
      zpty -r shell text '*\(words[words.endIndex - 1])*'
      print -r -- '\(words[words.endIndex - 1])'
      """
    #expect(try await run("zsh", program) == words.suffix(1))
  }
}
