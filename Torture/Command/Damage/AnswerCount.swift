import Fief
import FiefTorture
import Foundation

/// What damaged stores have answered: right, with an error, with a report, or wrong.
///
/// A record has a checksum, and so has its key. A key of an inner page or an entry of an index has none: damage to one leads to another
/// object, or to none. Such an answer has objects, keys and elements of the healthy store, and is excused where `check()` finds the
/// damage. One with a value that the store never had is always a finding.
struct AnswerCount {
  private(set) var counts: [String: Int] = [:]
  /// The answers of the store at hand that have parts of right ones.
  private var misplaced: [String] = []
  /// The answers of the store at hand with values that it never had.
  private var altered: [String] = []
  /// The types of the store at hand of which only keys are damaged that no checksum covers.
  enum Uncovered: Sendable {
    case none, all
    case types(Set<String>)

    /// Whether an answer is about one of them; its text begins with the question, which begins with the type.
    func contain(_ text: String) -> Bool {
      switch self {
      case .none: false
      case .all: true
      case .types(let types): types.contains(String(text.prefix { $0 != ":" }))
      }
    }
  }
  var uncovered = Uncovered.none

  /// What damage is reported as.
  static let damageCodes: Set<String> = ["damagedStore", "damagedRecord"]
  /// The codes of answers that say that there is none: a row of the catalogue that is gone is also that of a store whose text indexes are
  /// to be made again.
  private static let answerCodes = damageCodes.union(["migrationRequired"])

  mutating func add(_ name: String) { counts[name, default: 0] += 1 }

  /// Counts an answer.
  ///
  /// - Parameters:
  ///   - name: the question.
  ///   - known: the parts of right answers.
  ///   - moment: what has happened before.
  ///   - isReported: whether an event came with it.
  ///   - isAfterWrite: whether objects that were not found may have missed a change.
  mutating func judge(
    _ name: String,
    _ answer: StoreReadings.Answer,
    right: StoreReadings.Answer,
    _ known: KnownParts,
    moment: String = "",
    isReported: Bool = false,
    isAfterWrite: Bool = false
  ) {
    switch answer {
    case right: add("right answers")
    case .error(let code) where Self.answerCodes.contains(code): add("answers with error \(code)")
    case _ where isReported: add("answers that were reported")
    case .error(let code): misplaced.append("\(name)\(moment): the error \(code)")
    case .other(let text): altered.append("\(name)\(moment): \(text)")
    case .text(let text):
      let hasMissed = isAfterWrite && !misplaced.isEmpty
      if !hasMissed, let part = known.firstUnknown(in: text, of: name) {
        altered.append("\(name)\(moment): the store never had \(part.prefix(300))")
      } else {
        misplaced.append("\(name)\(moment): \(Self.difference(text, right))")
      }
    }
  }

  /// Counts the answers of a store to the questions of its catalogue.
  mutating func judge(
    _ readings: CatalogueReadings,
    of store: DynamicStore,
    right: [StoreReadings.Answer],
    moment: String,
    isAfterWrite: Bool = false
  ) {
    for ((question, answer), right) in zip(zip(readings.questions, readings.answers(of: store)), right) {
      judge(question.name, answer, right: right, readings.known, moment: moment, isAfterWrite: isAfterWrite)
    }
  }

  /// Counts the error of a write; damage can make a write break a rule.
  mutating func judgeWrite(_ error: any Error) {
    switch error {
    case let error as FiefError where Self.damageCodes.contains(error.code.rawValue):
      add("writes with error \(error.code.rawValue)")
    case let error as FiefError: misplaced.append("a write: \(error)")
    default: altered.append("a write: \(error)")
    }
  }

  /// Counts a store that was not opened.
  ///
  /// - Parameter allowed: the codes that the damage may have beside those of damage.
  mutating func judgeOpening(_ error: any Error, _ place: String, allowed: Set<String>) {
    let code = (error as? FiefError)?.code.rawValue ?? ""
    if Self.damageCodes.contains(code) || allowed.contains(code) { return add("stores refused as \(code)") }
    report(["the opening: \(error)"], place)
  }

  /// What an answer has where it begins to differ from the right one, and what that has there.
  private static func difference(_ text: String, _ right: StoreReadings.Answer) -> String {
    guard case .text(let expected) = right else { return "\(text.prefix(200)) instead of \(right)" }
    let start = max(0, text.commonPrefix(with: expected).count - 40)
    return "…\(text.dropFirst(start).prefix(120))… instead of …\(expected.dropFirst(start).prefix(120))…"
  }

  /// Checks the store, and prints its wrong answers.
  ///
  /// - Parameters:
  ///   - isControl: whether it is taken as found by the check, so that only altered values are left to find.
  ///   - check: whether the store is whole.
  mutating func finish(_ place: String, isControl: Bool = false, check: () throws -> Bool) {
    var isFound = true
    do {
      isFound = try !check()
      add(isFound ? "the check finds the damage" : "the check finds nothing")
    } catch let error as FiefError where Self.damageCodes.contains(error.code.rawValue) {
      add("the check is refused as \(error.code.rawValue)")
    } catch { altered.append("the check: \(error)") }
    for _ in (altered + misplaced).filter(uncovered.contain) {
      add("wrong answers of keys that have no checksum")
    }
    altered.removeAll(where: uncovered.contain)
    misplaced.removeAll(where: uncovered.contain)
    report(altered, place)
    if isFound || isControl {
      for _ in misplaced { add("objects at a wrong place, or not found, where the check finds the damage") }
    } else {
      report(misplaced, place)
    }
    (altered, misplaced) = ([], [])
  }

  private static let wrongs = "wrong answers"
  var numberOfWrongs: Int { counts[Self.wrongs] ?? 0 }

  private mutating func report(_ texts: [String], _ place: String) {
    for text in texts {
      add(Self.wrongs)
      say("wrong \(place): \(text)".replacing("\n", with: " "))
    }
  }

  func print() {
    for (name, count) in counts { say("outcome \(count) \(name)") }
  }
}
