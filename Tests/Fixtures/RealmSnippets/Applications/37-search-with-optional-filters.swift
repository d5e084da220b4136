import FiefRealm
import Foundation

class Hotel: Object {
  @Persisted var name = ""
  @Persisted var stars = 0
  @Persisted var pets = false
  @Persisted var price: Double?
}

struct HotelFilter {
  var text = ""
  var stars: Int?
  var pets: Bool?
  var maximum: Double?

  func apply(to hotels: Results<Hotel>) -> Results<Hotel> {
    var hotels = hotels
    if !text.isEmpty { hotels = hotels.where { $0.name.contains(text, options: [.caseInsensitive, .diacriticInsensitive]) } }
    if let stars { hotels = hotels.where { $0.stars >= stars } }
    if let pets { hotels = hotels.where { $0.pets == pets } }
    if let maximum { hotels = hotels.where { $0.price <= maximum } }
    return hotels.sorted(byKeyPath: "stars", ascending: false)
  }
}
