import Fief
import FiefConsole
import Foundation

/// The objects of some types, as `fief watch` follows them.
final class WatchedTypes {
  private let context: ToolContext
  private let parts: [WatchedType]

  init(_ context: ToolContext, _ parts: [WatchedType]) {
    self.context = context
    self.parts = parts
  }

  func compare(_ state: WatchSession.State, _ spool: ChangeSpool) throws -> WatchSession.Comparison {
    var looks = try parts.map { try $0.look(at: state.snapshot) }
    try write(state, &looks, to: spool)
    return WatchSession.Comparison(isChanged: looks.contains { !$0.changes.isEmpty }) { [parts, looks] in
      for (part, look) in zip(parts, looks) { part.accept(look) }
    }
  }

  private func write(_ state: WatchSession.State, _ looks: inout [WatchedType.Look], to spool: ChangeSpool)
    throws
  {
    guard looks.contains(where: { !$0.changes.isEmpty }) else { return }
    let isShown = !state.isStart || context.invocation.has("initial")
    let lines = ChangeLines(
      isJSON: context.isJSON,
      console: context.output,
      commits: state.commits,
      time: DateText.stamp(.now),
      isStart: state.isStart
    )
    var sink = LineSink { try spool.write($0) }
    if isShown, let heading = lines.heading(zip(parts, looks).map { ($0.type, $1) }) {
      try sink.append([UInt8]((heading + "\n").utf8))
    }
    for (index, part) in parts.enumerated() {
      var seen = 0
      // If objects are not shown, they are read only as long as they can be cached.
      for change in looks[index].changes where isShown || part.hasRoom(besides: looks[index]) {
        seen += 1
        if seen % 256 == 0, context.streams.isInterrupted() { throw WatchSession.Interrupted() }
        let line = try part.line(for: change, &looks[index], lines, state.snapshot)
        if isShown, let line { try sink.append([UInt8]((line + "\n").utf8)) }
      }
    }
    try sink.flush()
  }
}
