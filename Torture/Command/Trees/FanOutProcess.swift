import Fief
import FiefTorture
import FiefTree

/// A child process that writes or reads fan-outs until it is killed, or prints the messages of the store.
///
/// It prints `open`, `ack GROUP NUMBER` after each commit, `read` after each hundredth state, `number GROUP NUMBER`, and `wrong …`.
enum FanOutProcess {
  static func run(_ arguments: Arguments) throws {
    let repository = FanOutRepository(directory: arguments.rest.first ?? "")
    let count = arguments.number("paths") ?? 1_000
    if let error = repository.store().openingError { throw error }
    say("open")
    switch arguments.text("as") {
    case "write":
      try write(repository, FanOut(count: count, group: arguments.number("group") ?? 0), arguments)
    case "read": try read(repository, count)
    default: try show(repository, count)
    }
  }

  private static func write(_ repository: FanOutRepository, _ fanOut: FanOut, _ arguments: Arguments) throws {
    let root = JSONTree(in: repository).root
    let isSeparate = arguments.text("defect") == "separate"
    var number = 1 + (arguments.number("from") ?? 0)
    while true {
      if isSeparate {
        // The defect: two commits.
        try root.updateChildValuesAndWait(fanOut.values(number, of: 0..<fanOut.count / 2))
      }
      try repository.write { transaction in
        let editor = try JSONTree(in: repository).in(transaction)
        let members = (isSeparate ? fanOut.count / 2 : 0)..<fanOut.count
        try editor.updateChildValues(fanOut.values(number, of: members), at: root)
        try editor.setValue(.increment(1), at: root.child("total"))
        let counter = try transaction.object(ofType: FanOutCounter.self, forPrimaryKey: fanOut.group)
        let own = try counter ?? transaction.create(FanOutCounter.self, value: ["group": fanOut.group])
        own.count = number
      }
      say("ack \(fanOut.group) \(number)")
      number += 1
    }
  }

  private static func read(_ repository: FanOutRepository, _ count: Int) throws {
    var reads = 0
    while true {
      for problem in try repository.state(of: count).problems { say("wrong \(problem)") }
      reads += 1
      if reads % 10 == 0 { say("read") }
    }
  }

  private static func show(_ repository: FanOutRepository, _ count: Int) throws {
    for problem in try repository.check().problems { say("wrong \(problem)".replacing("\n", with: " ")) }
    let (numbers, problems) = try repository.state(of: count)
    for problem in problems { say("wrong \(problem)") }
    for (group, number) in numbers { say("number \(group) \(number)") }
    say("end")
  }
}
