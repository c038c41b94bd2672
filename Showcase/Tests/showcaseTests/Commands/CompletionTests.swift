import Foundation
import ShowcaseTestSupport
import Testing

/// The completion scripts in their shells.
@Suite(.timeLimit(.minutes(1)))
struct CompletionTests {
  private static let cases = [
    ("showcase mov", ["movie", "movies"]), ("showcase movies ", ["now-playing", "top-rated"]),
    ("showcase screen mo", ["movie", "movies"]), ("showcase sign-in g", ["grace"]),
    ("showcase issues apple/cups --color a", ["always", "auto"]),
    ("showcase serve --ope", ["--open"]), ("showcase cache w", ["why"]),
  ]

  /// The installed shells; in CI, a missing shell fails its test.
  private static let shells = {
    let environment = ProcessInfo.processInfo.environment
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    return ["bash", "fish", "zsh"].filter { shell in
      environment["CI"] != nil
        || folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(shell)") }
    }
  }()

  @Test(arguments: shells)
  func `The script for a shell completes in it`(shell: String) async throws {
    let script = try await Command.succeed("--generate-completion-script", shell).output
    try await Command.withFile(script) { path in
      for (line, words) in Self.cases {
        let last = words[words.endIndex - 1]
        let (end, output) = try await Process.run([
          shell, "-c", Self.program(shell), path, path, line, last,
        ])
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
        let completed = Set(lines.map { String($0.prefix { $0 != "\t" }) })
        #expect(end == .success)
        #expect(completed.isSuperset(of: shell == "zsh" ? [last] : words), "\(line): \(completed)")
      }
    }
  }

  /// Returns a program that prints the completions; its arguments are the script, the line and the last completion.
  private static func program(_ shell: String) -> String {
    switch shell {
    case "bash":
      """
      source "$1"
      COMP_LINE=$2 COMP_POINT=${#2}
      read -ra COMP_WORDS <<< "$2"
      [[ $2 == *' ' ]] && COMP_WORDS+=('')
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      read -ra registration <<< "$(complete -p showcase)"
      for index in "${!registration[@]}"; do
        [[ ${registration[index]} == -F ]] && function=${registration[index + 1]}
      done
      $function showcase "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    // Its first argument is not the program's name.
    case "fish": "source $argv[2]; complete -C $argv[3]"
    // zsh completes only in a terminal; `zpty -r` waits for the completion, which is not in the line.
    default:
      """
      zmodload zsh/zpty
      zpty shell env TERM=vt100 zsh -fi
      zpty -w shell "autoload -Uz compinit; compinit -D; . $1"
      zpty -w -n shell "$2"$'\\t\\t'
      zpty -r shell text "*$3*"
      print -r -- "$3"
      """
    }
  }
}
