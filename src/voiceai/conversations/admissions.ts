import type { AGENT_LANGUAGES } from '../agents/provider-choices.ts'

/**
 * Words with which an agent admits that it does not know something, in each language that it may speak: lower case, and only
 * what speaks of knowledge or information. "I do not know your name" is none of them, so "I do not know" alone is not listed.
 * Conversations change their language, so all lists are looked through (docs/voice-agent-platform.md#knowledge).
 */
const ADMISSIONS: Readonly<Record<(typeof AGENT_LANGUAGES)[number][0], readonly string[]>> = {
  ar: ['ليس لدي معلومات', 'ليست لدي معلومات', 'لا أملك معلومات', 'لا أعرف الإجابة'],
  bg: ['нямам информация', 'нямам тази информация', 'не знам отговора'],
  zh: ['没有相关信息', '没有这方面的信息', '我没有这个信息', '我不知道答案', '無法找到', '沒有相關資訊'],
  hr: ['nemam informacij', 'nemam tu informacij', 'nemam podat', 'ne znam odgovor'],
  cs: ['nemám informac', 'tuto informaci nemám', 'neznám odpověď'],
  da: ['har ikke oplysninger', 'har ikke den oplysning', 'har ingen oplysninger', 'kender ikke svaret'],
  nl: ['heb geen informatie', 'heb die informatie niet', 'heb daar geen informatie', 'weet het antwoord niet'],
  en: [
    "don't have that information",
    'do not have that information',
    "don't have information",
    'do not have information',
    "don't have any information",
    'do not have any information',
    "don't have details",
    "don't have the answer",
    "don't know the answer",
    'do not know the answer',
    "couldn't find any information",
    'could not find any information',
    "couldn't find that information",
  ],
  fi: ['minulla ei ole tietoa', 'minulla ei ole tätä tietoa', 'en tiedä vastausta'],
  fr: [
    "n'ai pas cette information",
    "n'ai pas d'information",
    "n'ai pas l'information",
    "n'ai aucune information",
    'ne connais pas la réponse',
  ],
  de: [
    'habe ich keine information',
    'habe dazu keine information',
    'habe keine information',
    'habe darüber keine information',
    'habe leider keine information',
    'diese information habe ich nicht',
    'liegen mir keine information',
    'liegt mir keine information',
    'kenne ich die antwort nicht',
    'weiß ich leider nicht',
    'weiss ich leider nicht',
  ],
  el: ['δεν έχω πληροφορίες', 'δεν έχω αυτή την πληροφορία', 'δεν γνωρίζω την απάντηση'],
  hi: ['जानकारी नहीं है', 'जानकारी उपलब्ध नहीं', 'उत्तर नहीं पता', 'जवाब नहीं पता'],
  hu: ['nincs információm', 'nincs erről információm', 'nem tudom a választ'],
  id: ['tidak memiliki informasi', 'tidak punya informasi', 'tidak tahu jawabannya'],
  it: ['non ho informazioni', 'non ho questa informazione', "non ho l'informazione", 'non conosco la risposta'],
  ja: ['情報がありません', '情報はありません', '情報を持っていません', '情報がございません', '分かりかねます'],
  ko: ['정보가 없습니다', '정보를 가지고 있지 않', '정보가 없어요', '답을 모르'],
  ms: ['tidak mempunyai maklumat', 'tiada maklumat', 'tidak tahu jawapan'],
  no: ['har ikke informasjon', 'har ikke den informasjonen', 'har ingen informasjon', 'vet ikke svaret'],
  pl: ['nie mam informacji', 'nie mam tej informacji', 'nie mam takich informacji', 'nie znam odpowiedzi'],
  'pt-br': ['não tenho essa informação', 'não tenho informaç', 'não sei a resposta'],
  pt: ['não tenho essa informação', 'não disponho de informaç', 'não disponho dessa informação', 'não sei a resposta'],
  ro: ['nu am informații', 'nu am această informație', 'nu am informaţii', 'nu știu răspunsul'],
  ru: ['нет информации', 'нет такой информации', 'не располагаю информацией', 'не знаю ответа'],
  sk: ['nemám informác', 'túto informáciu nemám', 'nepoznám odpoveď'],
  es: [
    'no tengo información',
    'no tengo esa información',
    'no dispongo de información',
    'no dispongo de esa información',
    'no sé la respuesta',
  ],
  sv: ['har ingen information', 'har inte den informationen', 'har inte information', 'vet inte svaret'],
  ta: ['தகவல் இல்லை', 'தகவல்கள் இல்லை', 'பதில் தெரியவில்லை'],
  tr: ['bilgim yok', 'bilgiye sahip değilim', 'cevabını bilmiyorum'],
  uk: ['немає інформації', 'не маю інформації', 'не маю такої інформації', 'не знаю відповіді'],
  vi: ['không có thông tin', 'không biết câu trả lời'],
}

const ALL = [...new Set(Object.values(ADMISSIONS).flat())]

/** Whether an agent says that it does not know what it was asked. */
export function isAdmission(words: string): boolean {
  const plain = words.toLowerCase().replaceAll(/[’‘`]/g, "'").normalize('NFC')
  return ALL.some((admission) => plain.includes(admission))
}
