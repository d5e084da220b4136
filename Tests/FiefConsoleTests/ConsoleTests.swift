import LMDB
import Testing

@testable import FiefConsole

@Suite("Progress, tables and numbers") struct ConsoleTests {
  /// Collects what a console writes.
  private final class Output: Sendable {
    private let storage = OwnedLock<String>("")
    var text: String { storage.withLock { $0 } }
    func console(_ terminal: Terminal) -> Console {
      Console(terminal: terminal) { text in self.storage.withLock { $0 += text } }
    }
  }

  private let terminal = Terminal(isTerminal: true, columns: 80, environment: ["NO_COLOR": "1"])

  @Test("The bar has percent, amounts, rate and time to go")
  func bar() {
    let bar = ProgressBar(title: "Packages", total: 60_000, completed: 30_000, elapsed: .seconds(3))
    #expect(
      bar.line(width: 100)
        == "Packages  [###############---------------]  50%  30,000 of 60,000  10,000/s  ETA 0:03"
    )
  }

  @Test("The bar never exceeds its width, and drops what matters least", arguments: 10...120)
  func narrow(width: Int) {
    for completed in [0, 1, 999, 60_000, 70_000] {
      let bar = ProgressBar(title: "Packages", total: 60_000, completed: completed, elapsed: .seconds(2))
      let line = bar.line(width: width)
      #expect(line.count <= width)
      #expect(line.hasPrefix("Packages"))
    }
  }

  @Test("Without a total there is an amount and a rate, and no percentage")
  func unknownTotal() {
    let bar = ProgressBar(title: "Packages", total: nil, completed: 1234, elapsed: .seconds(2))
    #expect(bar.line(width: 80) == "Packages  1,234  617/s")
  }

  @Test("A total that was guessed too low does not go over 100%")
  func underestimate() {
    let bar = ProgressBar(title: "P", total: 100, completed: 250, elapsed: .seconds(1))
    let line = bar.line(width: 80)
    #expect(line.contains("100%"))
    #expect(line.contains("250 of 250"))
    #expect(line.contains("ETA 0:00"))
  }

  @Test("Colour only where it is asked for")
  func colour() {
    let bar = ProgressBar(title: "P", total: 2, completed: 1, elapsed: .seconds(1))
    #expect(bar.line(width: 80, colour: true).contains("\u{1B}[32m"))
    #expect(!bar.line(width: 80).contains("\u{1B}"))
  }

  @Test("A terminal's line is redrawn at most ten times a second, and taken away")
  func redrawn() {
    let output = Output()
    var reporter = ProgressReporter("P", total: 1000, on: output.console(terminal))
    for step in 0..<100 { reporter.update(completed: step * 10, elapsed: .milliseconds(step * 10)) }
    reporter.finish()
    let draws = output.text.components(by: "\r").filter { $0.contains("P") }
    #expect(draws.count == 10)
    #expect(output.text.hasSuffix("\r\u{1B}[2K"))
    #expect(!output.text.contains("\n"))
  }

  @Test("Plain output gets a line for each tenth, without control characters")
  func plainLines() {
    let output = Output()
    var reporter = ProgressReporter("P", total: 1000, on: output.console(.plain))
    for step in 0...1000 { reporter.update(completed: step, elapsed: .milliseconds(step)) }
    reporter.finish()
    let lines = output.text.split(separator: "\n")
    #expect(lines.count == 10)
    #expect(lines.last?.contains("100%") == true)
    #expect(!output.text.contains("\u{1B}") && !output.text.contains("\r"))
  }

  @Test("Slow work without a total gets a plain line every five seconds")
  func slowWork() {
    let output = Output()
    var reporter = ProgressReporter("P", total: nil, on: output.console(.plain))
    for second in 0...20 { reporter.update(completed: second, elapsed: .seconds(second)) }
    #expect(output.text.split(separator: "\n").count == 4)
  }

  @Test(
    "What the environment asks for",
    arguments: [
      ([:], true, true), (["NO_COLOR": "1"], true, false), (["NO_COLOR": ""], true, true),
      (["TERM": "dumb"], false, false),
    ] as [([String: String], Bool, Bool)]
  )
  func environment(variables: [String: String], isInteractive: Bool, hasColour: Bool) {
    let terminal = Terminal(isTerminal: true, columns: nil, environment: variables)
    #expect(terminal.isInteractive == isInteractive)
    #expect(terminal.hasColour == hasColour)
    let pipe = Terminal(isTerminal: false, columns: nil, environment: variables)
    #expect(!pipe.isInteractive && !pipe.hasColour)
  }

  @Test("Columns are as wide as their widest cell, and numbers lean to the right")
  func table() {
    var table = Table("store", ">objects")
    table.add("auth", "12")
    table.add("catalogue", "63,666", "left out")
    table.add("odd\u{1B}[31m")
    #expect(
      table.lines() == ["store      objects", "auth            12", "catalogue   63,666", "odd\u{FFFD}[31m"]
    )
  }

  @Test("Numbers")
  func numbers() {
    #expect(
      [0, 7, 999, 1000, 1_234_567, -1000].map(Format.count) == [
        "0", "7", "999", "1,000", "1,234,567", "-1,000",
      ]
    )
    #expect(Format.count(.min) == "-9,223,372,036,854,775,808")
    #expect([0, 1023, 1024, 12_897_485].map(Format.bytes) == ["0 B", "1023 B", "1.0 KiB", "12.3 MiB"])
    let times: [Duration] = [
      .nanoseconds(850), .microseconds(31), .milliseconds(4.2), .seconds(1.239), .seconds(125),
    ]
    #expect(times.map(Format.duration) == ["850 ns", "31.0 us", "4.2 ms", "1.24 s", "2:05"])
    #expect(Format.rate(41_200, in: .seconds(2)) == "20,600/s")
    #expect(Format.rate(1, in: .zero) == "-/s")
    #expect([0.2, 59.9, 3599.5, 3601].map(Format.clock) == ["0:01", "1:00", "1:00:00", "1:00:01"])
    #expect(Format.clock(.infinity) == "-:--")
  }

  @Test("Sentences are folded at blanks")
  func folding() {
    #expect(Console.fold("one two three four", width: 9) == ["one two", "three", "four"])
    #expect(Console.fold("incomprehensibilities", width: 5) == ["incomprehensibilities"])
    #expect(Console.fold("", width: 5) == [])
  }

  @Test("Columns are counted as a terminal shows them")
  func width() {
    #expect(Format.width("Zoë") == 3)
    #expect(Format.width("e\u{301}") == 1)
    #expect(Format.width("秋田犬") == 6)
    #expect(Format.width("a🐕") == 3)
    #expect(Format.cut("秋田犬です", to: 6) == "秋田…")
    #expect(Format.cut("Rex", to: 3) == "Rex")
    var table = Table("name", "breed")
    table.add("ハチ", "Akita")
    table.add("Rex", "Pug")
    #expect(table.lines() == ["name  breed", "ハチ  Akita", "Rex   Pug"])
  }
}

extension String {
  fileprivate func components(by separator: Character) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: true)
  }
}
