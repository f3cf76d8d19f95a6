/** How an agent greets callers of a firm, in each language that agents speak; `{{firm}}` is its name. */
const GREETINGS: Readonly<Record<string, string>> = {
  ar: 'مرحبًا، معكم {{firm}}. كيف يمكنني مساعدتكم؟',
  bg: 'Здравейте, тук е {{firm}}. С какво мога да помогна?',
  zh: '您好，这里是{{firm}}。请问有什么可以帮您？',
  hr: 'Dobar dan, ovdje {{firm}}. Kako vam mogu pomoći?',
  cs: 'Dobrý den, tady {{firm}}. Jak vám mohu pomoci?',
  da: 'Goddag, det er {{firm}}. Hvad kan jeg hjælpe med?',
  nl: 'Goedendag, u spreekt met {{firm}}. Waarmee kan ik u helpen?',
  en: 'Hello, this is {{firm}}. How can I help you?',
  fi: 'Hei, täällä {{firm}}. Kuinka voin auttaa?',
  fr: 'Bonjour, ici {{firm}}. Comment puis-je vous aider ?',
  de: 'Guten Tag, hier ist {{firm}}. Wie kann ich Ihnen helfen?',
  el: 'Γεια σας, εδώ {{firm}}. Πώς μπορώ να σας βοηθήσω;',
  hi: 'नमस्ते, यह {{firm}} है। मैं आपकी क्या मदद कर सकता हूँ?',
  hu: 'Jó napot kívánok, itt a(z) {{firm}}. Miben segíthetek?',
  id: 'Halo, ini {{firm}}. Ada yang bisa saya bantu?',
  it: 'Buongiorno, qui {{firm}}. Come posso aiutarla?',
  ja: 'お電話ありがとうございます。{{firm}}です。ご用件をお伺いします。',
  ko: '안녕하세요, {{firm}}입니다. 무엇을 도와드릴까요?',
  ms: 'Helo, ini {{firm}}. Apa yang boleh saya bantu?',
  no: 'Hei, dette er {{firm}}. Hva kan jeg hjelpe deg med?',
  pl: 'Dzień dobry, tu {{firm}}. W czym mogę pomóc?',
  'pt-br': 'Olá, aqui é da {{firm}}. Como posso ajudar?',
  pt: 'Olá, fala da {{firm}}. Em que posso ajudar?',
  ro: 'Bună ziua, aici {{firm}}. Cu ce vă pot ajuta?',
  ru: 'Здравствуйте, это {{firm}}. Чем могу помочь?',
  sk: 'Dobrý deň, tu {{firm}}. Ako vám môžem pomôcť?',
  es: 'Hola, le atiende {{firm}}. ¿En qué puedo ayudarle?',
  sv: 'Hej, det här är {{firm}}. Vad kan jag hjälpa dig med?',
  ta: 'வணக்கம், இது {{firm}}. நான் எப்படி உதவலாம்?',
  tr: 'Merhaba, burası {{firm}}. Size nasıl yardımcı olabilirim?',
  uk: 'Вітаю, це {{firm}}. Чим можу допомогти?',
  vi: 'Xin chào, đây là {{firm}}. Tôi có thể giúp gì cho quý khách?',
}

/** The greeting of a firm in a language. */
export function greetingOf(firm: string, language: string): string {
  return (GREETINGS[language] ?? GREETINGS.en ?? '').replaceAll('{{firm}}', () => firm)
}
