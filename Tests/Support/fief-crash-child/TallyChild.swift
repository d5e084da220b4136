import FiefStress

/// A process that adds to a number which others add to as well.
enum TallyChild {
  static func run(_ directory: String, tasks: UInt64, times: UInt64, ifUnchanged: Bool) async {
    let repository = StressTallyRepository(directory: directory)
    do {
      let (done, conflicts) = try await repository.add(
        tasks: Int(tasks),
        times: Int(times),
        ifUnchanged: ifUnchanged
      )
      Child.say("done \(done)\nconflicts \(conflicts)\n")
    } catch { Child.say("error \(error)\n") }
    repository.close()
  }
}
