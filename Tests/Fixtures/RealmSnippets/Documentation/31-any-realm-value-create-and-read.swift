import FiefRealm
import Foundation

class Parcel: Object {
  @Persisted var label = ""
  @Persisted var content: AnyRealmValue
}

func example() throws {
  let realm = try Realm()
  let parcel = Parcel()
  parcel.content = "a book"
  let other = Parcel()
  other.content = .none
  let third = Parcel(value: ["label": "c", "content": AnyRealmValue.int(3)] as [String: Any])
  try realm.write {
    realm.add([parcel, other, third])
    parcel.content = .double(2.5)
  }
  switch parcel.content {
  case .string(let text): print(text)
  case .int, .double: print("a number")
  default: print("something else")
  }
}
