/// A property's name as an argument: a `String`.
///
/// The forms with a name are generic, so that they do not stand in for the forms with a key path when the compiler explains an error.
/// For a misspelled key path the compiler suggests the overload that needs the fewest corrections. A `String` parameter needs fewer
/// than the missing property; three conformances need more, and so the message names the property.
public typealias _PropertyName = StringProtocol & Encodable & RangeReplaceableCollection
