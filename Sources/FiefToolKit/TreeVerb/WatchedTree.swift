import Fief
import FiefConsole
import FiefTree
import Foundation

/// A place of a tree, as `fief tree watch` follows it.
final class WatchedTree {
  private static let width = 60

  private let context: ToolContext
  private let path: String
  private var follower: StoredTree.Follower

  init(_ context: ToolContext, _ path: String, _ follower: StoredTree.Follower) {
    self.context = context
    self.path = path
    self.follower = follower
  }

  func compare(_ state: WatchSession.State, _ spool: ChangeSpool) throws -> WatchSession.Comparison {
    var next = follower
    let tree = try TreeVerb.tree(in: state.snapshot)
    let events = try next.advance(to: tree, after: state.former)
    try write(events, state, spool)
    return WatchSession.Comparison(isChanged: !events.isEmpty) { self.follower = next }
  }

  private func write(_ events: [StoredTree.Follower.Event], _ state: WatchSession.State, _ spool: ChangeSpool)
    throws
  {
    if events.isEmpty { return }
    let time = DateText.stamp(.now)
    var sink = LineSink { try spool.write($0) }
    if !context.isJSON {
      let heading = ChangeLines.heading(state.commits, time, isStart: state.isStart)
      try sink.append([UInt8]((context.output.styled(heading, .bold) + "\n").utf8))
    }
    for event in events {
      let line = context.isJSON ? json(event, state.commits, time) : text(event)
      try sink.append([UInt8]((line + "\n").utf8))
    }
    try sink.flush()
  }

  private func text(_ event: StoredTree.Follower.Event) -> String {
    let value = event.value.text(prettyPrinted: false, escaping: Format.isControl)
    guard let key = event.key else { return value }
    let (mark, style): (String, Console.Style) =
      switch event.name {
      case "childAdded": ("+", .green)
      case "childRemoved": ("-", .red)
      case "childMoved": (">", .yellow)
      default: ("~", .yellow)
      }
    let line = context.output.styled("\(mark) \(Format.printable(key))", style)
    return event.name == "childRemoved" ? line : "\(line)  \(Format.cut(value, to: Self.width))"
  }

  private func json(_ event: StoredTree.Follower.Event, _ commits: ClosedRange<UInt64>, _ time: String)
    -> String
  {
    var json = JSONText()
    json.append(raw: "{\"firstCommit\":\(commits.lowerBound),\"commit\":\(commits.upperBound),\"time\":")
    json.append(string: time)
    json.append(raw: ",\"event\":\"\(event.name)\",\"path\":")
    json.append(string: [path, event.key].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "/"))
    json.append(raw: ",\"value\":" + event.value.text(prettyPrinted: false, escaping: Format.isControl))
    if let after = event.after {
      json.append(raw: ",\"after\":")
      json.append(string: after)
    }
    json.append(raw: "}")
    return json.text
  }
}
