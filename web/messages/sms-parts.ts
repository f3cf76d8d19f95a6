/**
 * Into how many parts an SMS is cut, and so what it costs; pure. The alphabet of GSM 03.38 packs 160 characters into one
 * part and 153 into each of several; one character outside of it makes them all UCS-2, with 70 and 67
 * (twilio.com/docs/glossary/what-is-gsm-7-character-encoding, twilio.com/docs/glossary/what-is-ucs-2-character-encoding).
 */
const GSM_7 = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** Written with an escape, so that each counts twice. */
const GSM_7_TWICE = new Set('\f^{}\\[~]|€')
const GSM_7_PART = { one: 160, several: 153 }
const UCS_2_PART = { one: 70, several: 67 }
/** The provider takes no longer text. */
export const TEXT_CHARS_MAX = 1_600

export interface SmsSize {
  alphabet: 'GSM-7' | 'UCS-2'
  parts: number
}

export function smsSize(text: string): SmsSize {
  const signs = [...text]
  const isGsm7 = signs.every((sign) => GSM_7.has(sign) || GSM_7_TWICE.has(sign))
  if (!isGsm7)
    return {
      alphabet: 'UCS-2',
      parts: partsOf(
        signs.map((sign) => sign.length),
        UCS_2_PART,
      ),
    }
  const weights = signs.map((sign) => (GSM_7_TWICE.has(sign) ? 2 : 1))
  return { alphabet: 'GSM-7', parts: partsOf(weights, GSM_7_PART) }
}

/** No character is cut in two: what does not fit whole begins the next part. */
function partsOf(weights: readonly number[], { one, several }: typeof GSM_7_PART): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total <= one) return total === 0 ? 0 : 1
  let [parts, used] = [1, 0]
  for (const weight of weights) {
    if (used + weight > several) [parts, used] = [parts + 1, 0]
    used += weight
  }
  return parts
}
