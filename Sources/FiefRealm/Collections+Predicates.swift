import Fief
public import Foundation

#if canImport(ObjectiveC)
  extension Results {
    /// Returns the objects that match an `NSPredicate`.
    ///
    /// The text of the predicate is read like a text passed to `filter(_:_:)`. A predicate with a block, a
    /// function or an object as a value cannot be converted. Using the results then fails with the code
    /// `malformedQuery`.
    public func filter(_ predicate: NSPredicate) -> Results {
      let text = PredicateText(predicate.predicateFormat)
      return filter(text.format, variadic: text.arguments.isEmpty ? nil : text.arguments)
    }

    /// Returns the index of the first object that matches an `NSPredicate`, or `nil` if no object matches.
    public func index(matching predicate: NSPredicate) -> Int? {
      let text = PredicateText(predicate.predicateFormat)
      do { return try fetchIndex(matching: text.format, arguments: text.arguments) } catch {
        reportFailure(error)
        return nil
      }
    }
  }

  extension ObjectCollection {
    /// Returns the objects that match an `NSPredicate`; see `ObjectQuery.filter(_:)`.
    public func filter(_ predicate: NSPredicate) -> Results<Member> { results.filter(predicate) }

    /// Returns the index of the first object that matches an `NSPredicate`, or `nil` if no object matches.
    public func index(matching predicate: NSPredicate) -> Int? { results.index(matching: predicate) }
  }
#else
  extension RealmCollection {
    /// Not available: `NSPredicate` has formats on Apple's platforms only.
    @available(
      *,
      unavailable,
      message: "write the text: dogs.filter(\"age > %@\", 3), or dogs.where { $0.age > 3 }"
    )
    public func filter(_ predicate: NSPredicate) -> Self { self }

    /// Not available: `NSPredicate` has formats on Apple's platforms only.
    @available(*, unavailable, message: "write the text: dogs.index(matching: \"age > %@\", 3)")
    public func index(matching predicate: NSPredicate) -> Int? { nil }
  }
#endif

/// The text of an `NSPredicate`, converted to a query text. Foundation writes a date as
/// `CAST(730900800.5, "NSDate")`, which becomes an argument.
package struct PredicateText {
  /// The text of the query.
  package private(set) var format = ""
  /// The values for `%@` in the text.
  package private(set) var arguments: [Any] = []

  /// - Parameter predicateFormat: the `predicateFormat` of the predicate.
  package init(_ predicateFormat: String) {
    var rest = Substring(predicateFormat)
    var quote: Character?
    while let character = rest.first {
      if quote == nil, let match = rest.prefixMatch(of: /CAST\(([-+0-9.eE]+), "NSDate"\)/),
        let seconds = Double(match.1)
      {
        format += "%@"
        arguments.append(Date(timeIntervalSinceReferenceDate: seconds))
        rest = rest[match.range.upperBound...]
        continue
      }
      if character == "\\", quote != nil {
        format += rest.prefix(2)
        rest = rest.dropFirst(2)
        continue
      }
      if character == quote {
        quote = nil
      } else if quote == nil, "\"'".contains(character) {
        quote = character
      }
      format.append(character)
      rest.removeFirst()
    }
  }
}
