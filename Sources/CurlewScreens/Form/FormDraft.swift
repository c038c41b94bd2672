/// The texts of a form's fields, and their validation.
///
/// ```swift
/// struct Account: FormDraft {
///   enum Field: CaseIterable { case name, email }
///   var name = ""
///   var email = ""
///
///   subscript(field: Field) -> String {
///     get { field == .name ? name : email }
///     set { if field == .name { name = newValue } else { email = newValue } }
///   }
///
///   func problem(in field: Field) -> String? {
///     self[field].isEmpty ? "Fill in this field." : nil
///   }
/// }
/// ```
///
/// A draft may have other properties, such as the id of the edited item, which are submitted, too.
public protocol FormDraft: Equatable, Sendable {
  /// The name of a field; the fields are shown in the order of the cases.
  associatedtype Field: Hashable & Sendable & CaseIterable

  /// The text of a field, exactly as typed.
  subscript(field: Field) -> String { get set }

  /// Returns the problem with a field's text, in a sentence for the user; `nil` when the text is valid.
  ///
  /// The result may depend on other fields, as for a repeated password. The method is called often.
  func problem(in field: Field) -> String?
}

extension FormDraft {
  /// Returns whether fields have no problems.
  func isValid(in fields: some Sequence<Field>) -> Bool {
    fields.allSatisfy { problem(in: $0) == nil }
  }
}
