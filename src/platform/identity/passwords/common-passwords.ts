/** The commonest passwords of twelve characters and more, or what they repeat, in lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i q1w2e3r4t5y6 q1w2e3r4t5y6u7i8 1qaz2wsx3edc 1qaz2wsx3edc4rfv !qaz2wsx#edc
  zaq12wsxcde3 zaq1xsw2cde3 qazwsxedcrfv qazwsxedcrfvtgb 123qweasdzxc qweasdzxc123 123456qwerty qwerty123456 qwerty12345
  qwertyuiop123 qwertyuiop12 1234qwerasdf asdfghjkl123 asdfqwer1234 1234567890qwerty a1b2c3d4e5f6 abcd12345678 abc123456789
  123456789abc 12345678abcd abcdef123456 123456abcdef abcdefg12345 111222333444 112233445566 123321456654 147258369147
  147852369147 159753456852 987654321000 123456789987 000000000001 121212343434 passw0rd1234 p@ssw0rd1234 p@ssword12345
  unbelievable administrator correcthorsebatterystaple thisisapassword mypassword123 mypassword1234 letmeinplease
  iloveyouforever ilovemyfamily ilovejesus123 jesuschrist1 godisgood123 manchesterunited liverpoolfc123 chelseafc1234
  barcelona1234 realmadrid123 starwars12345 trustno1trustno1 changeme12345 changemeplease welcome12345 welcome123456
  qwertyqwerty asdfghasdfgh zxcvbnzxcvbn q1w2e3 1q2w3e 1qaz2wsx zaq12wsx abc123 qwe123 asd123 test123 pass123 admin123
  root123 user123 123qwe 123abc 123asd`.split(/\s+/),
)

/** Words and names that the commonest passwords are made of, with numbers and signs around them. */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `password passwort passwd pass motdepasse contrasena senha parola wachtwoord haslo qwerty qwertz azerty qwertyuiop qwertzuiop
  azertyuiop asdf asdfgh asdfghjkl yxcvbnm zxcvbnm qazwsx qazwsxedc letmein welcome willkommen bienvenue admin administrator
  root user guest test testing demo default changeme secret geheim access login master superman batman spiderman ironman
  pokemon starwars dragon monkey tiger shadow princess sunshine football fussball baseball basketball soccer hockey
  liverpool arsenal chelsea barcelona realmadrid juventus iloveyou iloveu iloveme loveyou ichliebedich jetaime teamo
  michael jennifer jessica ashley daniel thomas andrew joshua matthew robert jordan charlie george william nicole hannah
  summer winter spring autumn sommer herbst fruehling monday friday january february march april june july august
  september october november december company companyname office support helpdesk service telephone connect computer
  internet server database system network security firewall router cisco oracle postgres mysql microsoft windows google
  facebook instagram whatsapp samsung iphone android linux ubuntu trustno trustnoone whatever nothing freedom hello hallo
  bonjour hola ciao cheese cookie banana orange flower butterfly rainbow diamond silver golden purple killer ninja
  samurai wizard phoenix mustang ferrari porsche mercedes corvette harley yamaha honda london paris berlin zurich
  newyork california texas america england germany switzerland jesus christ heaven angel blessed forever family mother
  father brother sister babygirl babyboy sweetheart honey lovely beautiful`.split(/\s+/),
)
