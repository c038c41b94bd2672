/// Sentences for the bodies.
enum Prose {
  static let oneLiners = [
    "Same here. 👍", "See the title, there is not much more to it.",
    "I would send a patch if somebody shows me where to start.",
    "Nicht dringend, aber mir fällt es jeden Morgen auf.",
    "Happens to my colleague, too, on an entirely different machine.",
    "すみません、英語が苦手です。タイトルの通りです。",
    "لا يحدث هذا في الإصدار السابق.",
  ]

  static let openings = [
    "Thank you for this project, I use it every day. The PART surprised me this morning.",
    "I have looked through the open issues and found none about the PART.",
    "Since the last update the PART behaves differently from what the manual says.",
    "This took me an afternoon to narrow down, and I am now sure that it is the PART.",
    "A short report about the PART, because it may be easy to fix.",
  ]

  static let frequencies = [
    "every single time", "about once in ten tries", "only on Mondays, as far as I can tell",
    "on two of our three machines", "as soon as the fan starts", "and never otherwise",
  ]

  static let steps = [
    "Start with an empty folder", "Open the settings and choose the second entry",
    "Copy the example from the manual", "Run it twice in a row", "Wait for about a minute",
    "Put the machine to sleep and wake it up", "Press <kbd>Esc</kbd> before it has finished",
    "Switch the language to العربية or Deutsch", "Remove the cache: `rm -rf ~/.cache/example`",
    "Look at the last line of the output",
  ]

  static let expectations = [
    "It should either work or say why it can't.", "The same result as the first time.",
    "An error that names the file, so that one knows which one to look at.",
    "Nothing at all: the setting is off by default.", "What the manual says in chapter 3.",
    "Less than a second, as before; now it is *eleven*.",
  ]

  static let closings = [
    "I am happy to test a fix.", "A workaround is to restart it, which is fine for now.",
    "The numbers are from my laptop, please take them with a grain of salt 🧂.",
    "Related, but not the same: <https://example.org/notes?a=1&b=2>.",
    "Vielen Dank für eure Arbeit!",
  ]

  static let plans = [
    "What is left to do for", "A list of small things that we noticed in",
    "Before the next release we should look at", "Ideas from the last meeting about",
  ]

  static let systems = [
    "Linux, x86_64", "Linux, aarch64", "macOS 15.4", "iOS 18.2", "FreeBSD 14", "Windows 11",
  ]

  static let logLines = [
    "ready", "took 12 ms", "asked again", "nothing new", "waiting for the other side",
    "wrote 4,096 bytes", "warning: value is missing, using the default", "done <3>",
    "retry 2 of 5 in 800 ms", "closed by \"peer\" & reopened",
  ]

  /// What a careless page would run, load or swallow.
  static let hostile = """
    Please check that all of this shows up as text:

    <script>document.title = "owned"</script>
    <img src=x onerror="document.title='owned'">
    <a href="javascript:alert(1)">a link</a> &amp; &lt;entities&gt; \\ "quotes" 'single'
    </pre></div></textarea> {{mustache}} {{{triple}}} ${dollar} <!-- a comment

    \tA tab, a null sign \u{2400}, a right-to-left mark\u{200F}, a zero\u{200B}width space, \
    a cow 🐄, a flag 🇯🇵 and 👩🏽‍🚀.

    ```html
    <p class="x">&nbsp;</p>
    ```
    """
}
