import Fief
import FiefConsole

/// Prints what becomes of a domain's objects, as an actor that observes them: while it prints, changes are collected
/// for its next call.
actor DomainFollower<Element: Object> {
  private let noun: String
  private let title: @Sendable (Element) -> String
  private let console: Console
  private let end: AsyncStream<Result<Void, any Error>>.Continuation
  /// After how many updates it ends; nil for never.
  private var left: Int?
  /// The titles of the objects, in the order of the results: so they are known of those that are gone too.
  private var titles: [String] = []
  private static var most: Int { 5 }

  init(
    _ noun: String,
    updates: Int?,
    _ console: Console,
    _ end: AsyncStream<Result<Void, any Error>>.Continuation,
    title: @escaping @Sendable (Element) -> String
  ) {
    self.noun = noun
    self.title = title
    self.console = console
    self.end = end
    left = updates
  }

  /// The handler of the observation: the results are in just the state that the places are about.
  func take(_ change: RealmCollectionChange<Results<Element>>) {
    switch change {
    case .initial(let results):
      titles = results.map(title)
      console.line("Following \(Format.count(titles.count)) \(noun). Ctrl-C ends it.")
    case .update(let results, let deletions, let insertions, _):
      if left == 0 { return }
      let modifications = change.newModifications
      let gone = deletions.map { titles[$0] }
      apply(results, deletions, insertions, modifications)
      // An object that has moved is gone from one place and new at the other.
      let (before, now) = (Set(gone), Set(insertions.map { titles[$0] }))
      say("new", insertions.map { titles[$0] }.filter { !before.contains($0) })
      say("changed", modifications.map { titles[$0] })
      say("gone", gone.filter { !now.contains($0) })
      if let left {
        self.left = left - 1
        if left == 1 { end.yield(.success(())) }
      }
    case .error(let error): end.yield(.failure(error))
    }
  }

  private func apply(
    _ results: Results<Element>,
    _ deletions: [Int],
    _ insertions: [Int],
    _ modifications: [Int]
  ) {
    // Reading all of them takes less time than looking up many.
    guard insertions.count + modifications.count < 100 else { return titles = results.map(title) }
    for index in deletions.reversed() { titles.remove(at: index) }
    for index in insertions { titles.insert(results[index].map(title) ?? "", at: index) }
    for index in modifications { titles[index] = results[index].map(title) ?? "" }
  }

  private func say(_ what: String, _ titles: [String]) {
    guard !titles.isEmpty else { return }
    let more = titles.count > Self.most ? ", and \(Format.count(titles.count - Self.most)) more" : ""
    let names = titles.prefix(Self.most).map { Format.printable($0) }.joined(separator: ", ")
    console.line("\(Format.count(titles.count)) \(noun) \(what): \(names)\(more)")
  }
}
