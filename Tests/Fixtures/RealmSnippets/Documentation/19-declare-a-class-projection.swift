import FiefRealm
import Foundation

class Employee: Object {
  @Persisted var firstName = ""
  @Persisted var lastName = ""
  @Persisted var desk: Desk?
  @Persisted var friends: List<Employee>
}

class Desk: EmbeddedObject {
  @Persisted var floor = 0
}

class EmployeeCard: Projection<Employee> {
  @Projected(\Employee.firstName) var firstName
  @Projected(\Employee.lastName.localizedCapitalized) var lastName
  @Projected(\Employee.desk?.floor) var floor
  @Projected(\Employee.friends.projectTo.firstName) var friendNames: ProjectedCollection<String>
}
