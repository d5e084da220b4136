/// Options for comparing texts.
package struct QueryTextOptions: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let caseInsensitive = QueryTextOptions(rawValue: 1)
  package static let diacriticInsensitive = QueryTextOptions(rawValue: 2)
}
