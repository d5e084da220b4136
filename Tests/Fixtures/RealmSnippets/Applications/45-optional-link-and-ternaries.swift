import FiefRealm
import Foundation

class Device: Object {
  @Persisted(primaryKey: true) var serial = ""
  @Persisted var battery: Int?
  @Persisted var room: Room?
}

class Room: Object {
  @Persisted var name = ""
  @Persisted(originProperty: "room") var devices: LinkingObjects<Device>
}

func summary(of devices: Results<Device>) -> [String] {
  devices.map { "\($0.room?.name ?? "nowhere"): \($0.battery.map(String.init) ?? "-")" }
}

func weak(in realm: Realm) -> [Device] {
  realm.objects(Device.self).filter { ($0.battery ?? 100) < 20 }
}

func busiest(_ rooms: Results<Room>) -> Room? { rooms.max(by: { $0.devices.count < $1.devices.count }) }
