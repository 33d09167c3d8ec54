/** The environment of a shop at a public address without emulators. Its services do not answer. */
export const SHOP = 'https://shop.example.com'
export const httpsShop = {
  LOG_LEVEL: 'fatal',
  APP_URL: SHOP,
  AUTH_SECRET: 'a-secret-of-thirty-two-characters',
  STRIPE_SECRET_KEY: 'sk_test_nobody',
  STRIPE_WEBHOOK_SECRET: 'whsec_nobody',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Shop <hello@shop.example.com>',
  GOOGLE_CLIENT_ID: 'nobody',
  GOOGLE_CLIENT_SECRET: 'nobody',
}
