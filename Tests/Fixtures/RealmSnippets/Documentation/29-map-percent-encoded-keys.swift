import FiefRealm
import Foundation

class Profile: Object {
  @Persisted var links: Map<String, String>
}

func example(profile: Profile) {
  let key = "my.site.example"
  let encoded = key.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
  profile.links[encoded] = "https://example.org"
  let first = profile.links.keys.first?.removingPercentEncoding
  print(first ?? "", profile.links.keys.contains(encoded), profile.links.count)
}
