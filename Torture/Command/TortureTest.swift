/// A torture test: what it does to the library, and a control that shows that it finds what it looks for.
protocol TortureTest: Sendable {
  /// The name in commands and in the output.
  static var name: String { get }
  /// What other processes of the test do, by the command that starts them.
  static var roles: [String: Role] { get }

  init(_ setting: TortureSetting) throws

  /// Runs the test.
  /// - Throws: ``Skipped`` where this machine cannot run it; other errors where the test itself is broken.
  func run() async throws -> Outcome

  /// Runs the test against a defect that it has to find.
  /// - Returns: how often it was found, and in how many runs.
  func control() async throws -> ControlOutcome

  /// Runs once with the values that a finding's line has, and shows all of it.
  func runOnce() async throws -> Outcome
}

extension TortureTest {
  typealias Role = @Sendable (Arguments) async throws -> Void

  static var roles: [String: Role] { [:] }

  func runOnce() async throws -> Outcome { try await run() }
}

/// What a test found.
struct Outcome: Sendable {
  /// Something that the library must not do.
  struct Finding: Sendable {
    let kind: String
    let text: String
    /// The arguments of `Torture/run --only NAME` that repeat it.
    let repetition: String
  }

  /// The number of runs, and what a run is: "1,000 damaged stores".
  var runs = 0
  let unit: String
  /// Further counts, by name.
  var counts: [String: Int] = [:]
  var findings: [Finding] = []

  init(_ unit: String) { self.unit = unit }

  mutating func add(_ kind: String, _ text: String, repetition: String) {
    findings.append(Finding(kind: kind, text: text, repetition: repetition))
  }

  /// Adds what a part of a test found. Where it cannot go on, its findings and those of the parts before it are in the error.
  mutating func add(_ part: () throws -> Outcome) throws {
    do { add(try part()) } catch let interrupted as Interrupted {
      add(interrupted.outcome)
      throw Interrupted(outcome: self, error: interrupted.error)
    } catch  where !findings.isEmpty { throw Interrupted(outcome: self, error: error) }
  }

  mutating func add(_ other: Outcome) {
    runs += other.runs
    counts.merge(other.counts, uniquingKeysWith: +)
    findings += other.findings
  }
}

/// What the control of a test found.
struct ControlOutcome: Sendable {
  /// The defect, as the words of a sentence: "writes that report success and write nothing".
  let defect: String
  let found: Int
  let runs: Int
  /// The number of runs that have to find the defect; others may meet it where it does no harm.
  let needed: Int

  var isFound: Bool { found >= needed && needed > 0 }

  /// Runs rounds until a quarter of the runs of one of them find the defect; five at most, because few kills may all miss the time
  /// between two commits.
  ///
  /// - Parameters:
  ///   - runs: the number of runs in a round.
  ///   - round: makes a round, with the number of runs before it, and returns the number of runs that have found the defect.
  static func inRounds(of runs: Int, _ defect: String, _ round: (Int) throws -> Int) rethrows
    -> ControlOutcome
  {
    let needed = max(1, runs / 4)
    var most = 0
    for number in 0..<5 where most < needed { most = max(most, try round(number * runs)) }
    return ControlOutcome(defect: defect, found: most, runs: runs, needed: needed)
  }
}

/// A test cannot run on this machine.
struct Skipped: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// A test could not go on after it had found something.
struct Interrupted: Error {
  let outcome: Outcome
  let error: any Error
}

/// The test itself cannot work; nothing is said about the library.
struct BrokenTest: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
