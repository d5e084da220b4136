/// A property's name as an argument: a `String`.
///
/// The functions with a name are generic, so that the compiler does not mention them when it explains a
/// mistake in a key path. For a misspelled key path the compiler suggests the overload that needs the fewest
/// corrections. A `String` parameter would need fewer corrections than the missing property; three
/// conformances need more, and so the message names the property.
public typealias _PropertyName = StringProtocol & Encodable & RangeReplaceableCollection
