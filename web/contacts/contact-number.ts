/** Which number of a contact is shown: in the one form that calls and messages have it in, where the typed one can be read; pure. */
interface Numbers {
  phone: string | null
  mobile: string | null
  phone_normalized: string | null
  mobile_normalized: string | null
}

export function numberOf(contact: Numbers, field: 'phone' | 'mobile'): string {
  return contact[`${field}_normalized`] || contact[field] || ''
}

/** The phone, else the mobile. */
export function firstNumberOf(contact: Numbers): string {
  return numberOf(contact, 'phone') || numberOf(contact, 'mobile')
}
