package vectors

import (
	"context"
	"errors"
	"math"

	"github.com/rectodocs/recto/internal/platform/embedding"
)

// references are sentences of everyday life. How near a query is to them says how near a model puts what has nothing to
// do with each other, which differs from model to model: near is what is nearer than that.
var references = []string{
	"The bread has to rest for two hours before it goes into the oven.",
	"Our team lost the match in the last minute, and nobody spoke on the way home.",
	"In spring the river floods the meadows below the village.",
	"She bought a blue coat and a pair of winter boots at the market.",
	"The orchestra begins its season with a symphony by a young composer.",
	"Grandfather grows tomatoes, beans and a few roses behind his house.",
	"Heavy snow closed the mountain pass for three days in January.",
	"The museum shows paintings of fishermen and their boats.",
	"A cat slept on the window sill while the children played outside.",
	"Take the second street on the left, and you will see the bakery.",
	"The dentist told him to come back in half a year.",
	"They sang old songs around the fire until it was dark.",
	"The price of coffee has risen again since last summer.",
	"My sister teaches history at a school in the north of the country.",
	"The horse refused to jump over the wooden fence.",
	"Wash the wool by hand in cold water, and do not wring it.",
	"The parliament debates the new law on fishing next week.",
	"At the wedding there was a cake with five layers.",
	"Lions rest in the shade during the hottest hours of the day.",
	"He broke his arm when he fell from the apple tree.",
	"The film tells of two brothers who build a bridge.",
	"A ferry crosses the lake every morning at seven.",
	"The tailor shortened the sleeves by an inch.",
	"Moonlight lay on the empty beach.",
}

// apart is how many standard deviations nearer than the references something is that is near.
const apart = 3

// learn asks for the vectors of the references, once.
func (s *Service) learn(ctx context.Context) error {
	s.mu.Lock()
	known := s.references != nil
	s.mu.Unlock()
	if known {
		return nil
	}
	numbers, err := s.deps.Embedder.Embed(ctx, embedding.Passage, references, batchTime)
	if err != nil {
		return err
	}
	made := make([]Vector, len(numbers))
	for i, each := range numbers {
		made[i] = quantised(each)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.references = made
	return nil
}

// forget makes the service ask for the references and for queries again: the model has become another one.
func (s *Service) forget() {
	s.mu.Lock()
	s.references = nil
	s.mu.Unlock()
	s.queries.Clear()
}

// query returns what is known of a query by its vector.
func (s *Service) query(vector Vector) (Query, error) {
	s.mu.Lock()
	unrelated := s.references
	s.mu.Unlock()
	if len(unrelated) == 0 || len(unrelated[0].bytes) != len(vector.bytes) {
		return Query{}, errors.New("the vector of a query is not of the model that the others are of")
	}
	sum, squares := 0.0, 0.0
	for _, each := range unrelated {
		like := float64(similarity(vector, each))
		sum, squares = sum+like, squares+like*like
	}
	mean := sum / float64(len(unrelated))
	deviation := math.Sqrt(max(0, squares/float64(len(unrelated))-mean*mean))
	return Query{vector: vector, Near: float32(mean + apart*deviation)}, nil
}
