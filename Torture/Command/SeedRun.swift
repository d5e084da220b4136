import FiefTorture

/// A process of a test that does what its seed says, and prints `wrong KIND TEXT` for each finding and `count NUMBER NAME` in the
/// end.
struct SeedRun {
  let seed: Int
  /// The command and its arguments; the seed is added.
  let arguments: [String]
  var environment: [String: String] = [:]
  /// What the lines of findings have beside the seed.
  var options: [String] = []

  /// - Parameters:
  ///   - unit: what a run is.
  ///   - output: the path of the file for what the process prints.
  ///   - isShown: whether all that it prints is shown.
  func outcome(unit: String, output: String, isShown: Bool) throws -> Outcome {
    let child = try ChildRun(
      arguments + ["--seed", "\(seed)", "--shown", isShown ? "yes" : "no"] + options,
      environment: environment,
      output: output,
      seconds: ChildRun.hangLimit
    )
    var outcome = Outcome(unit)
    outcome.runs = 1
    if isShown { child.lines.forEach { say($0) } }
    let repetition = (["--seed", "\(seed)"] + options).joined(separator: " ")
    for line in child.lines {
      let words = line.split(separator: " ", maxSplits: 2)
      if words.count == 3, words[0] == "wrong" {
        outcome.add(String(words[1]), String(words[2]), repetition: repetition)
      }
      if words.count == 3, words[0] == "count" { outcome.counts[String(words[2])] = Int(words[1]) }
    }
    if child.end != .exited(0) { outcome.add("\(child.end)", child.lines.last ?? "", repetition: repetition) }
    return outcome
  }
}
