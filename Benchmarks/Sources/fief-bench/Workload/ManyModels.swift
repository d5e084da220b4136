import Fief

/// The properties of the fifty types of a large schema.
class NumberedObject: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var number = 0
  @Persisted var amount = 0.0
}

final class Type00: NumberedObject {}
final class Type01: NumberedObject {}
final class Type02: NumberedObject {}
final class Type03: NumberedObject {}
final class Type04: NumberedObject {}
final class Type05: NumberedObject {}
final class Type06: NumberedObject {}
final class Type07: NumberedObject {}
final class Type08: NumberedObject {}
final class Type09: NumberedObject {}
final class Type10: NumberedObject {}
final class Type11: NumberedObject {}
final class Type12: NumberedObject {}
final class Type13: NumberedObject {}
final class Type14: NumberedObject {}
final class Type15: NumberedObject {}
final class Type16: NumberedObject {}
final class Type17: NumberedObject {}
final class Type18: NumberedObject {}
final class Type19: NumberedObject {}
final class Type20: NumberedObject {}
final class Type21: NumberedObject {}
final class Type22: NumberedObject {}
final class Type23: NumberedObject {}
final class Type24: NumberedObject {}
final class Type25: NumberedObject {}
final class Type26: NumberedObject {}
final class Type27: NumberedObject {}
final class Type28: NumberedObject {}
final class Type29: NumberedObject {}
final class Type30: NumberedObject {}
final class Type31: NumberedObject {}
final class Type32: NumberedObject {}
final class Type33: NumberedObject {}
final class Type34: NumberedObject {}
final class Type35: NumberedObject {}
final class Type36: NumberedObject {}
final class Type37: NumberedObject {}
final class Type38: NumberedObject {}
final class Type39: NumberedObject {}
final class Type40: NumberedObject {}
final class Type41: NumberedObject {}
final class Type42: NumberedObject {}
final class Type43: NumberedObject {}
final class Type44: NumberedObject {}
final class Type45: NumberedObject {}
final class Type46: NumberedObject {}
final class Type47: NumberedObject {}
final class Type48: NumberedObject {}
final class Type49: NumberedObject {}

/// The types of the store of row M_50.
enum ManyTypes {
  static let all: [Object.Type] = [
    Type00.self, Type01.self, Type02.self, Type03.self, Type04.self,
    Type05.self, Type06.self, Type07.self, Type08.self, Type09.self,
    Type10.self, Type11.self, Type12.self, Type13.self, Type14.self,
    Type15.self, Type16.self, Type17.self, Type18.self, Type19.self,
    Type20.self, Type21.self, Type22.self, Type23.self, Type24.self,
    Type25.self, Type26.self, Type27.self, Type28.self, Type29.self,
    Type30.self, Type31.self, Type32.self, Type33.self, Type34.self,
    Type35.self, Type36.self, Type37.self, Type38.self, Type39.self,
    Type40.self, Type41.self, Type42.self, Type43.self, Type44.self,
    Type45.self, Type46.self, Type47.self, Type48.self, Type49.self,
  ]
}
